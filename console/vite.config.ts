import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm run dev -w console` finds a running `souk dev`. */
const SOUK = process.env.SOUK_URL ?? 'http://127.0.0.1:4700'

const SERVED_BY_SOUK =
  '^/(_souk|console/v1|operator|orders|listings|catalog|definitions|products|batches|reports|feeds|notifications|sellers|solicitations|documents|docs|openapi)(/|$)'

/** What so many pages use is loaded with the first. */
const MANY_PAGES = 4

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    // The licenses are in THIRD-PARTY-NOTICES.txt.
    license: { fileName: 'licenses.md' },
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Together, because a page would otherwise load a dozen small files, each with a request of its own.
          groups: [{ name: 'shared', minShareCount: MANY_PAGES }],
        },
      },
    },
  },
  server: { proxy: { [SERVED_BY_SOUK]: SOUK } },
})
