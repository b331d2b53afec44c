import { Alert, Anchor, Button, Card, Center, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { describe } from '../../api/failure.ts'
import { sessionQuery, signIn } from '../../api/session.ts'
import { signInRoute } from './route.ts'

export function SignInPage() {
  const { from } = signInRoute.useSearch()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isOperator, setOperator] = useState(false)
  const [name, setName] = useState('')
  const [secret, setSecret] = useState('')
  useEffect(() => {
    document.title = 'Sign in – Souk'
  }, [])
  const attempt = useMutation({
    mutationFn: () => signIn(isOperator ? { operatorKey: secret } : { name, password: secret }),
    onSuccess: async () => {
      queries.clear()
      await queries.ensureQueryData(sessionQuery)
      await navigate({ href: from })
    },
    onError: () => setSecret(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attempt.mutate()
  }
  return (
    <Center component="main" mih="100vh" p="md">
      <Card withBorder shadow="sm" padding="xl" w="100%" maw={400}>
        <form onSubmit={submit}>
          <Stack>
            <Title order={1} size="h3">
              Sign in to Souk
            </Title>
            {attempt.isError && (
              <Alert role="alert" color="red">
                {describe(attempt.error)}
              </Alert>
            )}
            {!isOperator && (
              <TextInput
                label="Name"
                required
                autoFocus
                autoComplete="username"
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
            )}
            <PasswordInput
              label={isOperator ? 'Operator key' : 'Password'}
              required
              autoComplete={isOperator ? 'off' : 'current-password'}
              value={secret}
              onChange={(event) => setSecret(event.currentTarget.value)}
            />
            <Button type="submit" loading={attempt.isPending}>
              Sign in
            </Button>
            <Anchor component="button" type="button" size="sm" onClick={() => setOperator(!isOperator)}>
              {isOperator ? 'Sign in with an account' : 'Sign in with the operator key'}
            </Anchor>
            <Text size="xs" c="dimmed">
              The operator of the marketplace creates accounts.
            </Text>
          </Stack>
        </form>
      </Card>
    </Center>
  )
}
