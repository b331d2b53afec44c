import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

interface TextFilterProps extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  value: string | undefined
  /** Called a moment after the viewer stopped typing; undefined if nothing is left. */
  onChange(text: string | undefined): void
}

/** A text that selects some rows of a list. */
export function TextFilter({ value = '', onChange, ...input }: TextFilterProps) {
  const [typed, setTyped] = useState(value)
  const changeLater = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), 300)
  const type = (text: string) => {
    setTyped(text)
    changeLater(text)
  }
  return (
    <TextInput
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed && <CloseButton size="sm" aria-label="Clear the text" onClick={() => type('')} />}
      maxLength={255}
      {...input}
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
