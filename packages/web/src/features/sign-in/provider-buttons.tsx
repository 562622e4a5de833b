import { Button } from '@mantine/core';
import type { OidcProvider } from '@signalbox/contract/auth';
import { IconLogin2 } from '@tabler/icons-react';
import { readBasePath } from '../../lib/base-path.ts';
import { t } from '../../lib/i18n.ts';
import css from './login-screen.module.css';

/** One button for each single-sign-on provider; the browser goes there itself. */
export function ProviderButtons({ providers, hasRule }: { providers: OidcProvider[]; hasRule: boolean }) {
  if (providers.length === 0) return null;
  return (
    <>
      {hasRule ? <div className={css.rule}>{t('signIn.or')}</div> : null}
      <div className={css.providers}>
        {providers.map(({ id, name }) => (
          <Button
            key={id}
            component="a"
            href={`${readBasePath()}/api/auth/oidc/${encodeURIComponent(id)}/login${location.search}`}
            size="md"
            fullWidth
            leftSection={<IconLogin2 size={17} stroke={1.7} />}
          >
            {t('signIn.continueWith', { name })}
          </Button>
        ))}
      </div>
    </>
  );
}
