import { applicationContext } from '#app/server/context.ts'
import { pageHead } from '#app/ui/page-head.ts'
import styles from '#app/ui/styles/api-docs.css?url'
import { paths } from '#content/paths.ts'
import { serverPaths } from '#content/server-paths.ts'
import { countOf } from '#platform/count-text.ts'
import { readAgents } from './agents.server.ts'
import type { Route } from './+types/agents.ts'

export const handle = { script: false }

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Shopping agents',
    description: 'What an assistant may do for you in this store, what stays with you, and how an agent is stopped.',
    path: serverPaths.agents(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

export function loader({ context }: Route.LoaderArgs) {
  return readAgents(context.get(applicationContext))
}

type Shown = Route.ComponentProps['loaderData']

export default function Agents({ loaderData: shown }: Route.ComponentProps) {
  return (
    <div className="wrap api-docs">
      <h1>Shopping agents</h1>
      <p className="api-lead">
        An assistant may find tires here, check that they fit, price them installed and hold a time at a shop. It gets
        the answers our pages give, word for word and to the cent. Ordering stays with you.
      </p>
      <section aria-labelledby="person">
        <h2 id="person">What only a person does</h2>
        <ul className="api-points">
          {shown.personActs.map((act) => (
            <li key={act}>{act}</li>
          ))}
          <li>Cancel or change an order, and delete an account</li>
        </ul>
        <p>
          An agent that is done gives you a link. It opens the cart once, within{' '}
          {countOf(shown.limits.cartLinkMinutes, 'minute')}, in your browser, and the agent does not see what you enter
          from there on.
        </p>
      </section>
      <Tools groups={shown.groups} />
      <ComingIn shown={shown} />
      <Limits limits={shown.limits} />
      <Stopping store={shown.store} />
    </div>
  )
}

function Tools({ groups }: Pick<Shown, 'groups'>) {
  return (
    <section aria-labelledby="tools">
      <h2 id="tools">What agents may do</h2>
      {groups.map(({ audience, name, tools }) => (
        <section key={audience} aria-labelledby={`by-${audience}`}>
          <h3 id={`by-${audience}`}>{name}</h3>
          <dl className="api-problems">
            {tools.map(({ id, title, description }) => (
              <div key={id} id={id}>
                <dt>
                  {title}
                  <br />
                  <code className="small muted">{id}</code>
                </dt>
                <dd>
                  <WithCode text={description} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </section>
  )
}

/** Words between backticks are code. */
function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}

function ComingIn({ shown: { address, profile, metadata } }: { shown: Shown }) {
  return (
    <section aria-labelledby="addresses">
      <h2 id="addresses">Where agents come in</h2>
      <ul className="api-points">
        <li>
          <code>{address}</code> speaks the Model Context Protocol over HTTP: its version of 2026-07-28, which has no
          sessions, and the 2025 versions.
        </li>
        <li>
          <code>{profile}</code> describes the store to platforms of the Universal Commerce Protocol, with catalog, cart
          and checkout.
        </li>
        <li>
          Programs can use <a href={paths.apiDocs()}>our API</a> instead; its{' '}
          <a href={paths.apiDocument()}>OpenAPI document</a> has every call.
        </li>
        <li>
          <a href="/llms.txt">llms.txt</a> is a short overview.
        </li>
        {metadata === null ? null : (
          <li>
            To act for an account, an agent needs a token that its owner granted at our sign-in service:{' '}
            <a href={metadata}>
              <code>{metadata}</code>
            </a>{' '}
            says where.
          </li>
        )}
      </ul>
    </section>
  )
}

function Limits({ limits: { callsPerMinute, cartCallsPerMinute, bodyKb, holdMinutes } }: Pick<Shown, 'limits'>) {
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Limits</h2>
      <ul className="api-points">
        <li>
          {countOf(callsPerMinute, 'call')} a minute from one address, and {cartCallsPerMinute} about one cart. A call
          too many is answered with status 429 and <code>Retry-After</code>.
        </li>
        <li>{bodyKb} kB a call, one message at a time.</li>
        <li>
          A time is held for {countOf(holdMinutes, 'minute')}. Few can be held at once; give back what nobody wants.
        </li>
        <li>Tracking an order by number and ZIP has the tries that our page has.</li>
      </ul>
    </section>
  )
}

function Stopping({ store: { email, phone } }: Pick<Shown, 'store'>) {
  return (
    <section aria-labelledby="stop">
      <h2 id="stop">How an agent is stopped</h2>
      <ul className="api-points">
        <li>
          To revoke an agent’s access to your account, go to Apps in your account. It takes effect immediately, whatever
          token it has.
        </li>
        <li>
          We stop agents that ignore <code>Retry-After</code>, hold unwanted times, probe stock, or claim that a person
          accepted terms they didn’t.
        </li>
        <li>
          Crawlers follow <a href="/robots.txt">robots.txt</a>. An agent a person sends is no crawler; one that reads
          page after page is.
        </li>
        <li>
          If an agent does harm, or yours was stopped by mistake, write to <a href={`mailto:${email}`}>{email}</a> or
          call <a href={`tel:${phone.replace(/\D/g, '')}`}>{phone}</a>.
        </li>
      </ul>
    </section>
  )
}
