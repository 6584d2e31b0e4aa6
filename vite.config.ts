import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'

/**
 * Replaces `import()` in the browser, to load a lazy part's styles and then the part. Vite's own helper also preloads
 * the part's imports, which adds 0.6 kB to every page that can load one, and a list of names to every part that loads
 * another.
 */
const lazyParts: Plugin = {
  name: 'lazy-parts',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `const styled = (href) => new Promise((done) => document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/' + href, onload: done, onerror: done })))
        export const __vitePreload = (load, needed = []) => Promise.all(needed.map(styled)).then(load)`
      : undefined,
}

/**
 * In the browser, what a module of the business defines at its top level may be left out alone: a page that shows a label
 * of `domain/kernel/settings` loads neither its schemas nor zod. The bundler can't know that a call such as `z.string().max(9)`
 * only makes a value, so each such definition is marked as pure.
 */
const pureDefinitions: Plugin = {
  name: 'pure-definitions',
  enforce: 'post',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /\/(?:content|domain|pictures|platform)\/[^?]*\.ts$/ },
    handler(code) {
      const calls = this.parse(code).body.flatMap((statement) => {
        const defined = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        return defined?.type === 'VariableDeclaration' ? defined.declarations : []
      })
      return calls
        .flatMap(({ init }) => (init?.type === 'CallExpression' ? [init] : []))
        .toReversed()
        .reduce(
          (all, { start, end }) =>
            `${all.slice(0, start)}/* @__PURE__ */ (() => ${all.slice(start, end)})()${all.slice(end)}`,
          code,
        )
    },
  },
}

/**
 * In the browser, React Router is part of the pages with a module that imports it. These imports also choose it as the
 * page's router; other pages have a small one (app/router/router.tsx). React Router's build adds an import to every route
 * module, which is replaced.
 */
const routersOfPages: Plugin = {
  name: 'routers-of-pages',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: {
    order: 'pre',
    filter: { id: /^react-router$/ },
    handler(_id, importer) {
      return importer?.startsWith(appFolder) && !importer.startsWith(`${appFolder}router/`)
        ? `${appFolder}router/full-router.tsx`
        : undefined
    },
  },
  transform: {
    filter: { code: 'UNSAFE_with' },
    handler: (code) =>
      code.replace(/(import \{[^{}]*UNSAFE_with[^{}]*\} from )["']react-router["']/, '$1"#app/router/router.tsx"'),
  },
}
const appFolder = `${import.meta.dirname}/app/`

export default defineConfig({
  plugins: [lazyParts, pureDefinitions, reactRouter(), routersOfPages],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // Disables preloading, see above. `needed` contains only styles.
    modulePreload: { resolveDependencies: () => [] },
    // Our modules have no side effects, so unused ones can be removed.
    rollupOptions: {
      treeshake: {
        moduleSideEffects: [{ test: /\/(content|domain|pictures|platform)\//, sideEffects: false }],
        propertyReadSideEffects: false,
      },
    },
  },
  environments: {
    // React stays in one chunk. The office needs a part of react-dom separately, and a separate chunk would add half a
    // kilobyte to every page.
    client: {
      build: {
        rollupOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
                { name: 'router', test: /\/app\/router\/(?!full-router)/ },
                { name: 'full-router', test: /node_modules\/react-router\/|\/app\/router\/full-router/ },
              ],
            },
          },
        },
      },
    },
    // The server bundle starts at the web app (Hono around React Router), so that both share one copy of every module.
    ssr: { build: { rollupOptions: { input: './app/server/web.ts' } } },
  },
})
