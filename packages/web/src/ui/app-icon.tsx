import {
  IconAffiliate,
  IconBrandPowershell,
  IconBrandPython,
  IconBrandTerraform,
  IconCloudComputing,
  IconStack2,
  IconTerminal2,
} from '@tabler/icons-react';

const icons: Record<string, typeof IconTerminal2> = {
  ansible: IconAffiliate,
  terraform: IconBrandTerraform,
  tofu: IconStack2,
  pulumi: IconCloudComputing,
  bash: IconTerminal2,
  python: IconBrandPython,
  powershell: IconBrandPowershell,
};

/** What the icon of an app can be called. */
export const appIconNames = Object.keys(icons);

/** The picture of an app; one that an administrator has added gets the terminal. */
export function AppIcon({ app, size = 14 }: { app: string; size?: number }) {
  const Icon = icons[app] ?? IconTerminal2;
  return <Icon size={size} stroke={1.7} aria-hidden />;
}
