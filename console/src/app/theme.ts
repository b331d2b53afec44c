import { type CSSVariablesResolver, createTheme } from '@mantine/core'

const namedCloseButton = { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  defaultRadius: 'md',
  focusRing: 'auto',
  autoContrast: true,
  components: { Modal: namedCloseButton, Drawer: namedCloseButton, Notification: namedCloseButton },
})

/** The library's grey and light texts are too pale to read: these have a contrast of at least 4.5 (WCAG 2, AA). */
export const readableColors: CSSVariablesResolver = ({ colors }) => {
  const names = Object.keys(colors).filter((name) => name !== 'dark')
  const lightTexts = (shade: number) =>
    Object.fromEntries(
      names.map((name) => [`--mantine-color-${name}-light-color`, `var(--mantine-color-${name}-${shade})`]),
    )
  return {
    variables: {},
    light: {
      '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
      '--mantine-color-placeholder': '#6b737b',
      ...lightTexts(9),
      '--mantine-color-yellow-light-color': '#7a4b00',
      '--mantine-color-lime-light-color': '#3f5f00',
      '--mantine-color-orange-light-color': '#9c3a00',
      '--mantine-color-teal-light-color': '#05664a',
      '--mantine-color-green-light-color': '#1f6a2b',
    },
    dark: {
      '--mantine-color-dimmed': 'var(--mantine-color-gray-5)',
      '--mantine-color-placeholder': '#9f9f9f',
      ...lightTexts(2),
    },
  }
}
