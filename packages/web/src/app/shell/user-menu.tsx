import { Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconLanguage, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { availableLanguages, t } from '../../lib/i18n.ts';
import { usePreference } from '../../lib/preferences.ts';
import { currentUserQuery, systemQuery } from '../../lib/session.ts';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import { signOut } from '../sign-out.ts';
import css from './shell.module.css';

/** Who is signed in, how the console looks and speaks, and the way out. */
export function UserMenu() {
  const { data: user } = useQuery(currentUserQuery);
  const { data: system } = useQuery(systemQuery);
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  if (user === undefined) return null;
  return (
    <Menu position="top-start" width={236}>
      <Menu.Target>
        <button type="button" className={css.user} aria-label={t('shell.userMenu', { name: user.name })}>
          <InitialsAvatar name={user.name} />
          <span className={css.names}>
            <span className={css.name}>{user.name}</span>
            <span className={css.detail}>{user.username}</span>
          </span>
          {user.admin ? <span className={css.badge}>{t('shell.admin')}</span> : null}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.CheckboxItem
          checked={isDark}
          rightSection={isDark ? <IconMoon size={17} stroke={1.7} /> : <IconSun size={17} stroke={1.7} />}
          onChange={(wanted) => setColorScheme(wanted ? 'dark' : 'light')}
        >
          {t('shell.darkMode')}
        </Menu.CheckboxItem>
        <LanguageItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={17} stroke={1.7} />} onClick={() => void signOut()}>
          {t('shell.signOut')}
        </Menu.Item>
        {system === undefined ? null : (
          // The part before the first hyphen: what follows names the build.
          <div className={css.version}>{t('shell.version', { version: system.version.split('-')[0] ?? '' })}</div>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function LanguageItems() {
  const [language, setLanguage] = usePreference('language');
  const choices = [{ id: 'system', title: t('shell.systemLanguage') }, ...availableLanguages];
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconLanguage size={17} stroke={1.7} />}>{t('shell.language')}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>
        <Menu.RadioGroup value={language} onChange={setLanguage}>
          {choices.map(({ id, title }) => (
            <Menu.RadioItem key={id} value={id}>
              {title}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}
