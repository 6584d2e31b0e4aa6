import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  build: { target: 'es2023', assetsInlineLimit: 0 },
  environments: {
    // The server bundle starts at the web app (Hono around React Router), so that both share one copy of every module.
    ssr: { build: { rollupOptions: { input: './app/http/web.ts' } } },
  },
})
