import { ActionIcon, Tooltip } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { t } from '../lib/i18n.ts';
import { usePreference } from '../lib/preferences.ts';

type ArrowProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'color'> & { ref?: Ref<HTMLAnchorElement> };

function Arrow(props: ArrowProps) {
  return (
    <ActionIcon component="a" {...props}>
      <IconArrowLeft size={18} stroke={1.7} />
    </ActionIcon>
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
