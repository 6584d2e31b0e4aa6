import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import showReference from '#app/routes/api/show-reference.js?url'
import styles from '#app/ui/styles/api-docs.css?url'
// By path because the build copies these files and the running store doesn't need the package.
import reference from '../../../node_modules/swagger-ui-dist/swagger-ui-bundle.js?url'
import referenceStyles from '../../../node_modules/swagger-ui-dist/swagger-ui.css?url'
import { operationList } from './operation-list.server.ts'
import type { Route } from './+types/docs.ts'

/** The page doesn't hydrate. With JavaScript, Swagger UI replaces the list. */
export const handle = { script: false }

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'API',
    description:
      'Find tires, book an installation and place an order from your own program: every operation, its input and its output.',
    path: paths.apiDocs(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

export function loader() {
  return operationList()
}

export default function ApiDocs({ loaderData: { areas, problems } }: Route.ComponentProps) {
  return (
    <>
      <div className="wrap api-docs">
        <h1>API</h1>
        <p className="api-lead">
          Your app can do everything a shopper can do here. Find tires that fit, see the price with installation, book
          the bay, and order. JSON in, JSON out.
        </p>
        <div id="api-list">
          {areas.map(({ name, says, calls }) => (
            <section key={name} aria-labelledby={`area-${name}`}>
              <h2 id={`area-${name}`}>{name}</h2>
              <p className="muted">{says}</p>
              <ul>
                {calls.map(({ id, summary, address }) => (
                  <li key={id} id={id}>
                    {summary} <code className="small muted">{address}</code>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        <p>
          The input and output of every operation are in the OpenAPI 3.1 document,{' '}
          <a href={paths.apiDocument()}>openapi.json</a>. For JavaScript and TypeScript there is a client with types,{' '}
          <code>@sidewall/client</code>: <code>npm run pack-client</code> in the store’s source creates it. Shopping
          agents have <a href={serverPaths.agents()}>tools of their own</a>.
        </p>
        <details>
          <summary>Errors and their codes</summary>
          <dl className="api-problems">
            {problems.map(({ code, status, title }) => (
              <div key={code} id={code}>
                <dt>
                  <code>{code}</code> <span className="muted tabular">{status}</span>
                </dt>
                <dd>{title}.</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
      <div
        className="wrap"
        id="api-in-full"
        data-script={reference}
        data-style={referenceStyles}
        data-openapi={paths.apiDocument()}
      />
      <script type="module" src={showReference} />
    </>
  )
}
