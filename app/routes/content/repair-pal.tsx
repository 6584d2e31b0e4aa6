import { applicationContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import { WrittenArticle } from '#app/ui/written-article.tsx'
import { readWrittenPage } from '#app/views/written-page.server.ts'
import { paths } from '#content/paths.ts'
import { certificationRequirements } from '#domain/scheduling/installers/installers.ts'
import { listCertifiedShops } from '#domain/scheduling/installers/installers.server.ts'
import { countOf } from '#platform/count-text.ts'
import type { Route } from './+types/repair-pal.ts'

/** The certification's requirements and the certified shops. */
export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: loaderData.page.title,
        description: loaderData.page.description,
        path: loaderData.page.path,
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ url, context }: Route.LoaderArgs) {
  const [page, certified] = await Promise.all([
    readWrittenPage(url, context),
    listCertifiedShops(context.get(applicationContext)),
  ])
  const shops = certified.map(({ code, slug, name, city, state, warrantyMonths, warrantyMiles }) => ({
    path: paths.tireShop(slug, code),
    name,
    place: `${city}, ${state}`,
    warranty: `${countOf(warrantyMonths, 'month')} or ${countOf(warrantyMiles, 'mile')}`,
  }))
  return { page, shops }
}

export default function RepairPal({ loaderData: { page, shops } }: Route.ComponentProps) {
  return (
    <WrittenArticle page={page}>
      <div className="article-text">
        <h2 id="asks">What we ask for the mark</h2>
        <ul>
          {Object.values(certificationRequirements).map(({ asks }) => (
            <li key={asks}>{asks}</li>
          ))}
        </ul>
        <h2 id="certified">Certified shops</h2>
        {shops.length === 0 ? (
          <p>No shop has the mark today.</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th scope="col">Shop</th>
                <th scope="col">Place</th>
                <th scope="col">Warranty on parts and labor</th>
              </tr>
            </thead>
            <tbody>
              {shops.map(({ path, name, place, warranty }) => (
                <tr key={path}>
                  <td>
                    <a href={path}>{name}</a>
                  </td>
                  <td>{place}</td>
                  <td>{warranty}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </WrittenArticle>
  )
}
