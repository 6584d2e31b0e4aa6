import { ListPage } from '#app/office/list-page.tsx'
import { shopPay } from '#app/office/lists/finance.server.ts'
import { readList } from '#app/office/read-list.server.ts'
import { applicationContext } from '#app/server/context.ts'
import { officeHead } from '#app/ui/office/office-page.tsx'
import { officePaths } from '#content/office-paths.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { Route } from './+types/shop-pay-list.ts'

export const meta: Route.MetaFunction = ({ matches }) => officeHead(matches, 'Shop pay', officePaths.officeShopPays())

export async function loader(args: Route.LoaderArgs) {
  const { year } = storeDay(args.context.get(applicationContext).clock.now())
  return { data: await readList(args, shopPay), years: [year - 1, year] }
}

export default function ShopPayList({ loaderData: { data, years } }: Route.ComponentProps) {
  return (
    <ListPage
      data={data}
      after={
        <p className="row">
          {years.map((year) => (
            <a key={year} className="btn quiet" href={officePaths.officeShopPayYear({ year })}>
              1099 totals {year}
            </a>
          ))}
        </p>
      }
    />
  )
}
