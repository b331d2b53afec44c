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
  items: readonly NavigationItem[]
}

export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'Marketplace',
    isFor: () => true,
    items: [{ to: '/', label: 'Home', icon: IconHome }],
  },
  {
    label: 'Selling',
    isFor: ({ role }) => role !== 'operator',
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
