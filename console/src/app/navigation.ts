import {
  IconAlertOctagon,
  IconBell,
  IconBox,
  IconBuildingStore,
  IconCamera,
  IconChartBar,
  IconFileReport,
  IconFileUpload,
  IconHistory,
  IconHome,
  IconKey,
  IconListDetails,
  IconSchool,
  IconSend,
  IconShoppingCart,
  IconTerminal2,
  IconUsers,
} from '@tabler/icons-react'
import type { Session } from '../api/session.ts'

export interface NavigationItem {
  to: string
  label: string
  icon: typeof IconHome
}

interface NavigationGroup {
  label: string
  isFor(session: Session): boolean
  /** What others read instead of a page of it. */
  obstacle: string
  items: readonly NavigationItem[]
  /** Where further pages of it are. */
  morePaths?: readonly string[]
}

export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'Marketplace',
    isFor: () => true,
    obstacle: '',
    items: [{ to: '/', label: 'Home', icon: IconHome }],
  },
  {
    label: 'Selling',
    isFor: ({ role }) => role !== 'operator',
    obstacle: 'This page is for sellers. Sign in with the account of a seller to see it.',
    morePaths: ['/products', '/authorize'],
    items: [
      { to: '/orders', label: 'Orders', icon: IconShoppingCart },
      { to: '/listings', label: 'Listings', icon: IconBox },
      { to: '/reports', label: 'Reports', icon: IconFileReport },
      { to: '/feeds', label: 'Feeds', icon: IconFileUpload },
      { to: '/notifications', label: 'Notifications', icon: IconBell },
    ],
  },
  {
    label: 'Developing',
    isFor: ({ hasControlPlane }) => hasControlPlane,
    obstacle: 'This page is part of souk dev. A marketplace of souk serve does not have it.',
    items: [
      { to: '/requests', label: 'Requests', icon: IconTerminal2 },
      { to: '/faults', label: 'Faults and incidents', icon: IconAlertOctagon },
      { to: '/state', label: 'Snapshots and forks', icon: IconCamera },
      { to: '/grade', label: 'Grade', icon: IconSchool },
    ],
  },
  {
    label: 'Operating',
    isFor: ({ role }) => role !== 'seller',
    obstacle: 'This page is for the operator of the marketplace.',
    items: [
      { to: '/operator/sellers', label: 'Sellers', icon: IconBuildingStore },
      { to: '/operator/applications', label: 'Applications', icon: IconKey },
      { to: '/operator/accounts', label: 'Accounts', icon: IconUsers },
      { to: '/operator/jobs', label: 'Jobs', icon: IconListDetails },
      { to: '/operator/deliveries', label: 'Deliveries', icon: IconSend },
      { to: '/operator/usage', label: 'Usage', icon: IconChartBar },
      { to: '/operator/audit', label: 'Audit', icon: IconHistory },
    ],
  },
]

/** Why a session does not have the page at a path, or undefined if it does. */
export function findObstacle(session: Session, path: string): string | undefined {
  const isWithin = (place: string) => path === place || path.startsWith(`${place}/`)
  const group = NAVIGATION.find(({ items, morePaths = [] }) =>
    [...items.map(({ to }) => to), ...morePaths].some((place) => place !== '/' && isWithin(place)),
  )
  return group && !group.isFor(session) ? group.obstacle : undefined
}
