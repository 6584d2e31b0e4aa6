/** A new store's catalog as files, the pages that import them, and its sample tires. */
import type { Page } from 'playwright-core'
import { eventually } from '#tests/support/eventually.ts'
import type { RunningStore } from '#tests/support/store.ts'

const sizes = { '235/60R18': 107, '225/65R17': 102, '215/55R17': 94, '205/55R16': 91, '195/65R15': 91 }

/** One hundred tires from one brand, in 20 models with five sizes each. */
export function catalogFiles(): { products: string; stock: string } {
  const tires = Array.from({ length: 20 }, (_, line) =>
    Object.entries(sizes).map(([size, loadIndex], place) => ({
      sku: `OAK-${100 + line * 5 + place}`,
      cells: `Oakline,mid,Road ${line + 1},touring-all-season,all-season,yes,${size},${loadIndex},H,${size === '235/60R18' ? 'XL' : 'SL'},51,6,9,10,27,600,A,A,${100 + line}`,
    })),
  ).flat()
  const columns =
    'sku,brand,brand_tier,line,category,tread,m_plus_s,size,load_index,speed,load_class,max_psi,rim_width_min_in,rim_width_max_in,tread_depth_32nds,weight_lb,utqg_treadwear,utqg_traction,utqg_temperature,price'
  return {
    products: [columns, ...tires.map(({ sku, cells }) => `${sku},${cells}`)].join('\n'),
    stock: ['sku,warehouse,on_hand', ...tires.map(({ sku }) => `${sku},CHI,40`)].join('\n'),
  }
}

/** Uploads a file, and publishes it after its preview. */
export async function importFile(store: RunningStore, page: Page, kind: string, text: string): Promise<void> {
  await page.goto(`${store.origin}/office/imports`)
  await page.locator('#kind').selectOption({ label: kind })
  await page.locator('#file').setInputFiles({ name: 'tires.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('button', { name: 'Upload and preview' }).click()
  await page.waitForURL(/\/office\/imports\/\d+/)
  await eventually('preview of the import', async () => {
    await page.reload()
    return (await page.getByRole('button', { name: 'Publish now' }).count()) > 0
  })
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('Published. Carts and checkout use it now').waitFor()
}

/** Loads the sample tires, and removes them. */
export async function trySamples({ origin }: RunningStore, page: Page): Promise<void> {
  const setup = `${origin}/office/setup`
  const catalogStep = page.locator('li#catalog')
  await page.goto(setup)
  await page.getByRole('button', { name: 'Load sample tires' }).click()
  await page.waitForURL(/done=samples-loaded/)
  await eventually('sample tires with stock', async () => {
    await page.goto(setup)
    return (await page.getByText('160 sample tires with stock').count()) > 0
  })
  await catalogStep.getByText('160 tires for sale, 160 of them in stock').waitFor()
  await eventually('sample tires in the search', async () => {
    await page.goto(`${origin}/search?q=${encodeURIComponent('225/65R17')}`)
    return (await page.getByText('Sample Mid').count()) > 0
  })
  await page.goto(setup)
  await page.locator('button[value=remove-samples][aria-haspopup=dialog]').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove sample tires' }).click()
  await page.waitForURL(/done=samples-removed/)
  await eventually('empty catalog', async () => {
    await page.goto(setup)
    return (await page.getByText('No sample tires are loaded.').count()) > 0
  })
  await catalogStep.getByText('Missing: one tire with a price and stock').waitFor()
}
