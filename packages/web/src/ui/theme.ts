import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { RevealIcon } from './reveal-icon.tsx';

// Mantine wants ten shades of a colour; ours are two tokens that change with the scheme by themselves.
function shadesOf(token: string): MantineColorsTuple {
  const shade = `var(${token})`;
  return [shade, shade, shade, shade, shade, shade, shade, shade, shade, shade];
}

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 5, dark: 5 },
  colors: { accent: shadesOf('--accent'), red: shadesOf('--failed'), green: shadesOf('--success') },
  fontFamily: 'var(--font-text)',
  fontFamilyMonospace: 'var(--font-mono)',
  headings: { fontFamily: 'var(--font-text)', fontWeight: '650' },
  fontSizes: { xs: '12px', sm: '13.5px', md: '13.5px', lg: '17px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.35', xl: '1.3' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '14px' },
  defaultRadius: 'md',
  breakpoints: { xs: '30em', sm: '48em', md: '60em', lg: '75em', xl: '90em' },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { variant: 'default', size: 'sm' } },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 32 } },
    // What is wrong stands right under the field, what is good to know below it.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm', visibilityToggleIcon: RevealIcon } },
    NumberInput: { defaultProps: { size: 'sm', hideControls: true } },
    Textarea: { defaultProps: { size: 'sm', autosize: true, minRows: 3, maxRows: 12 } },
    Select: {
      defaultProps: {
        size: 'sm',
        allowDeselect: false,
        maxDropdownHeight: 280,
        comboboxProps: { shadow: 'md', transitionProps: { duration: 80 } },
      },
    },
    Switch: { defaultProps: { size: 'sm', withThumbIndicator: false } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
    Tooltip: { defaultProps: { openDelay: 350, transitionProps: { duration: 80 }, withArrow: false } },
  },
});

const shared = {
  '--mantine-color-body': 'var(--page)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--faint)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-error': 'var(--failed)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-disabled': 'var(--hover)',
  '--mantine-color-disabled-color': 'var(--faint)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
};

/** Points Mantine's own variables at the tokens. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { '--mantine-shadow-md': 'var(--shadow)' },
  light: shared,
  dark: shared,
});
