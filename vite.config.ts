import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // Our modules only define things, so that one of which nothing is used can be left out.
    rollupOptions: { treeshake: { moduleSideEffects: [{ test: /\/(domain|platform)\//, sideEffects: false }] } },
  },
  environments: {
    // The server bundle starts at the web app (Hono around React Router), so that both share one copy of every module.
    ssr: { build: { rollupOptions: { input: './app/http/web.ts' } } },
  },
})
