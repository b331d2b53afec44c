import { notifications } from '@mantine/notifications'
import { describe } from '../api/failure.ts'

export const notifyDone = (message: string) => void notifications.show({ message, color: 'teal' })

export const notifyError = (error: unknown) =>
  void notifications.show({ title: 'That did not work', message: describe(error), color: 'red', autoClose: 10_000 })
