import { useRouter } from '@tanstack/react-router'
import { ErrorState } from '../ui/states.tsx'

/** Trying again also loads the session and the code of the page again, whose failure may be the reason. */
export function RouteError({ error }: { error: unknown }) {
  const router = useRouter()
  return <ErrorState error={error} retry={() => void router.invalidate()} />
}
