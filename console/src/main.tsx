import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionQuery } from './api/session.ts'
import { preloadPage, queries, router } from './app/router.tsx'
import { readableColors, theme } from './app/theme.ts'

/** The page's policy lets only styles with this value in. */
const styleNonce = () => document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''

// Modals add a style of their own, with the nonce of this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })

// Both at once: the router begins with the page only when it has the session, and with that when it is drawn.
void queries.prefetchQuery(sessionQuery)
preloadPage()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColors}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
