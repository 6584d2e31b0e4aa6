import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { listPaymentScripts } from './payment-scripts.ts'

/** A build with a cart page that loads `shared`. */
async function buildOf(folder: string, shared: string): Promise<{ assets: string; file: string }> {
  const assets = join(folder, 'assets')
  await mkdir(assets)
  const manifest = {
    entry: { module: '/assets/entry.client-00000000.js' },
    routes: { cart: { id: 'cart', path: 'cart', module: '/assets/cart-00000000.js' } },
  }
  const files = {
    'manifest-00000000.js': `window.__reactRouterManifest=${JSON.stringify(manifest)};`,
    'entry.client-00000000.js': '',
    'cart-00000000.js': `import"./${shared}-00000000.js";`,
    [`${shared}-00000000.js`]: '',
    'unrelated-00000000.js': '',
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(assets, name), text)
  return { assets, file: join(folder, 'payment-scripts.json') }
}

test('lists the scripts of payment pages with their purposes', async () => {
  await using folder = await createTemporaryFolder()
  const { assets, file } = await buildOf(folder.path, 'icon')
  await listPaymentScripts(assets, file)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject([
    {
      address: '/assets/cart-00000000.js',
      purpose: 'Shows the cart, and changes quantities and services',
      pages: ['Cart'],
    },
    { address: '/assets/entry.client-00000000.js', purpose: 'Starts the page in the browser' },
    { address: '/assets/icon-00000000.js', purpose: 'Renders the icons' },
    { address: '/assets/manifest-00000000.js' },
  ])
})

test('fails for a script without a declared purpose', async () => {
  await using folder = await createTemporaryFolder()
  const { assets, file } = await buildOf(folder.path, 'skimmer')
  await expect(listPaymentScripts(assets, file)).rejects.toThrow(
    'Payment pages load scripts without a purpose: /assets/skimmer-00000000.js.',
  )
})
