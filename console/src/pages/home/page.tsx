import { useSession } from '../../api/session.ts'
import { MarketplaceHome } from './marketplace-home.tsx'
import { StartPage } from './start-page.tsx'

export function HomePage() {
  const { hasControlPlane } = useSession()
  return hasControlPlane ? <MarketplaceHome /> : <StartPage />
}
