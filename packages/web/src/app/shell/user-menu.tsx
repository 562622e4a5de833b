import { Menu, useComputedColorScheme, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconKey, IconLanguage, IconLogout, IconMoon, IconSun, IconUserCog } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { languages, t } from '../../lib/i18n.ts';
import { usePreference } from '../../lib/preferences.ts';
import { currentUserQuery, systemQuery } from '../../lib/session.ts';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import { signOut } from '../sign-out.ts';
import { useReachablePages } from '../use-pages.ts';
import css from './shell.module.css';

type ItemAnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'color'> & {
  leftSection: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
};

function ItemAnchor(props: ItemAnchorProps) {
  return <Menu.Item component="a" {...props} />;
}

const MenuLink = createLink(ItemAnchor);

/** Who is signed in, the screens of the whole server, how the console looks and speaks, and the way out. */
export function UserMenu() {
  const { data: user } = useQuery(currentUserQuery);
  const { data: system } = useQuery(systemQuery);
  const { ofInstallation } = useReachablePages(undefined);
  if (user === undefined) return null;
  // Projects are made where they are chosen, and what is one's own stands below.
  const places = ofInstallation.filter(({ to, needs }) => needs !== undefined && !to.startsWith('/project/'));
  return (
    <Menu position="top-start" width={236}>
      <Menu.Target>
        <button type="button" className={css.user}>
          <VisuallyHidden>{t('shell.userMenu')} </VisuallyHidden>
          <InitialsAvatar name={user.name} />
          <span className={css.names}>
            <span className={css.name} title={user.name}>
              {user.name}
            </span>
            <span className={css.detail} title={user.username}>
              {user.username}
            </span>
          </span>
          {user.admin ? <span className={css.badge}>{t('shell.admin')}</span> : null}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {system === undefined ? null : (
          // The part before the first hyphen: what follows names the build.
          <div className={css.version}>{t('shell.version', { version: system.version.split('-')[0] ?? '' })}</div>
        )}
        {places.map(({ label, to, icon: Icon }) => (
          <MenuLink key={to} to={to} search={{}} leftSection={<Icon size={17} stroke={1.7} aria-hidden />}>
            {t(label)}
          </MenuLink>
        ))}
        {places.length > 0 ? <Menu.Divider /> : null}
        <MenuLink
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, account: 'settings' })}
          leftSection={<IconUserCog size={17} stroke={1.7} aria-hidden />}
        >
          {t('shell.editAccount')}
        </MenuLink>
        <MenuLink to="/tokens" search={{}} leftSection={<IconKey size={17} stroke={1.7} aria-hidden />}>
          {t('shell.tokens')}
        </MenuLink>
        <LookItem />
        <LanguageItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={17} stroke={1.7} />} onClick={() => void signOut()}>
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function LookItem() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <Menu.CheckboxItem
      checked={isDark}
      rightSection={isDark ? <IconMoon size={17} stroke={1.7} /> : <IconSun size={17} stroke={1.7} />}
      onChange={(wanted) => setColorScheme(wanted ? 'dark' : 'light')}
    >
      {t('shell.darkMode')}
    </Menu.CheckboxItem>
  );
}

function LanguageItems() {
  const [language, setLanguage] = usePreference('language');
  const choices = [{ id: 'system', title: t('shell.systemLanguage') }, ...languages];
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
