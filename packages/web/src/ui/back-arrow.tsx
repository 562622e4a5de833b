import { Tooltip } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { t } from '../lib/i18n.ts';
import { usePreference } from '../lib/preferences.ts';
import css from './icon-button.module.css';

type ArrowProps = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };

function Arrow(props: ArrowProps) {
  return (
    <a {...props} className={css.button} data-variant="subtle">
      <IconArrowLeft size={18} stroke={1.7} />
    </a>
  );
}

const ArrowLink = createLink(Arrow);

/** From a screen of the whole server back to the project that was used last. */
export function BackArrow() {
  const [lastProject] = usePreference('lastProject');
  return (
    <Tooltip label={t('ui.toLastProject')}>
      {lastProject === null ? (
        <ArrowLink to="/" search={{}} aria-label={t('ui.toLastProject')} />
      ) : (
        <ArrowLink
          to="/project/$projectId"
          params={{ projectId: String(lastProject) }}
          search={{}}
          aria-label={t('ui.toLastProject')}
        />
      )}
    </Tooltip>
  );
}
