import { PasswordInput } from '@mantine/core'

const MIN_PASSWORD_LENGTH = 12

/** The password of another person, which a password manager must not fill in. */
export const PasswordField = ({ value, onChange }: { value: string; onChange(value: string): void }) => (
  <PasswordInput
    label="Password"
    description={`At least ${MIN_PASSWORD_LENGTH} characters`}
    required
    minLength={MIN_PASSWORD_LENGTH}
    autoComplete="new-password"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
