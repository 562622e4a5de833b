import { Button } from '@mantine/core';
import type { OidcProvider } from '@signalbox/contract/auth';
import {
  IconBrandAzure,
  IconBrandBitbucket,
  IconBrandGithub,
  IconBrandGitlab,
  IconBrandGoogle,
  IconBrandWindows,
  IconLogin2,
} from '@tabler/icons-react';
import { readBasePath } from '../../lib/base-path.ts';
import { t } from '../../lib/i18n.ts';
import css from './login-screen.module.css';
import { writeProviderAddress } from './provider-address.ts';

const icons: [name: string, icon: typeof IconLogin2][] = [
  ['github', IconBrandGithub],
  ['gitlab', IconBrandGitlab],
  ['bitbucket', IconBrandBitbucket],
  ['google', IconBrandGoogle],
  ['azure', IconBrandAzure],
  ['microsoft', IconBrandWindows],
];

/** The picture that the operator has named, and else what the provider's own name says. */
function chooseIcon({ icon, id }: OidcProvider): typeof IconLogin2 {
  const word = (icon === '' ? id : icon).toLowerCase();
  return icons.find(([name]) => word.includes(name))?.[1] ?? IconLogin2;
}

/** One button for each single-sign-on provider; the browser goes there itself. */
export function ProviderButtons({ providers, hasRule }: { providers: OidcProvider[]; hasRule: boolean }) {
  if (providers.length === 0) return null;
  return (
    <>
      {hasRule ? <div className={css.rule}>{t('signIn.or')}</div> : null}
      <div className={css.providers}>
        {providers.map((provider) => {
          const Icon = chooseIcon(provider);
          return (
            <Button
              key={provider.id}
              component="a"
              href={writeProviderAddress(readBasePath(), provider.id, location.search)}
              size="md"
              fullWidth
              leftSection={
                <span
                  className={css.mark}
                  data-coloured={provider.color === '' ? undefined : true}
                  style={{ background: provider.color }}
                >
                  <Icon size={15} stroke={1.8} />
                </span>
              }
            >
              {t('signIn.continueWith', { name: provider.name })}
            </Button>
          );
        })}
      </div>
    </>
  );
}
