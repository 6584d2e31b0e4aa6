import { shopContext } from '#app/server/context.ts'
import { paths } from '#content/paths.ts'
import { pageHead } from '#app/ui/page-head.ts'
import styles from '#app/ui/styles/api-docs.css?url'
import { docsView, type DocsView, type FieldView, type OperationView } from './docs-view.server.ts'
import type { Route } from './+types/docs.ts'

export const handle = { script: false }

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'API',
    description:
      'Find tires, book an installation and place an order from your own program: every call, what it takes and what it answers.',
    path: paths.apiDocs(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=300' }
}

export function loader({ context }: Route.LoaderArgs) {
  const { config, identity } = context.get(shopContext)
  return docsView(config.web.origin, config.store.name, identity?.issuer ?? null)
}

export default function ApiDocs({
  loaderData: { origin, introduction, areas, shapes, problems },
}: Route.ComponentProps) {
  return (
    <div className="wrap api-docs">
      <h1>API</h1>
      <p className="api-lead">
        Everything a shopper can do here, your program can do, too: find tires that fit, see the price with
        installation, book the bay, and order.
      </p>
      {introduction.map((paragraph) => (
        <p key={paragraph}>
          <Coded text={paragraph} />
        </p>
      ))}
      <p>
        The same for machines, in OpenAPI 3.1: <a href={paths.apiDocument()}>openapi.json</a>. The calls are at{' '}
        <code>{origin}/api</code>.
      </p>

      <nav aria-labelledby="calls-title" className="api-contents">
        <h2 id="calls-title">The calls</h2>
        {areas.map(({ name, operations }) => (
          <div key={name}>
            <h3>
              <a href={`#${name}`}>{name}</a>
            </h3>
            <ul>
              {operations.map(({ id, method, path, summary }) => (
                <li key={id}>
                  <a href={`#${id}`}>{summary}</a>{' '}
                  <span className="small muted api-address">{`${method} ${path}`}</span>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p>
          <a href="#shapes">Shapes that calls share</a> · <a href="#problems">What can go wrong</a>
        </p>
      </nav>

      {areas.map(({ name, says, operations }) => (
        <section key={name} id={name} aria-labelledby={`${name}-title`}>
          <h2 id={`${name}-title`}>{name}</h2>
          <p className="muted">{says}</p>
          {operations.map((operation) => (
            <Operation key={operation.id} operation={operation} />
          ))}
        </section>
      ))}

      <section id="shapes" aria-labelledby="shapes-title">
        <h2 id="shapes-title">Shapes that calls share</h2>
        {shapes.map(({ name, type, fields }) => (
          <div key={name} id={`shape-${name}`} className="api-call">
            <h3>{name}</h3>
            {fields.length === 0 ? <p className="muted">{type}</p> : <Fields fields={fields} isInput={false} />}
          </div>
        ))}
      </section>

      <section id="problems" aria-labelledby="problems-title">
        <h2 id="problems-title">What can go wrong</h2>
        <p className="muted">The answer has the status, the code, and a sentence about this very call.</p>
        <h3>With any call</h3>
        <Problems problems={problems.filter(({ isOfEveryCall }) => isOfEveryCall)} />
        <h3>With some</h3>
        <Problems problems={problems.filter(({ isOfEveryCall }) => !isOfEveryCall)} />
      </section>
    </div>
  )
}

function Operation({ operation }: { operation: OperationView }) {
  const { id, method, path, summary, paragraphs, who, inputs, status, gives, refuses, example } = operation
  return (
    <div id={id} className="api-call">
      <h3>{summary}</h3>
      <p className="api-address">
        <b>{method}</b> {path}
      </p>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          <Coded text={paragraph} />
        </p>
      ))}
      <p className="small muted">May call: {who.toLowerCase()}</p>
      {inputs.map(({ title, fields }) => (
        <div key={title}>
          <h4>{title}</h4>
          <Fields fields={fields} isInput />
        </div>
      ))}
      <h4>
        Answer <span className="muted tabular">{status}</span>
      </h4>
      <p>
        {gives.shape ? <a href={`#shape-${gives.shape}`}>{gives.type}</a> : <span className="muted">{gives.type}</span>}
      </p>
      {gives.fields.length > 0 ? <Fields fields={gives.fields} isInput={false} /> : null}
      {refuses.length > 0 ? (
        <>
          <h4>Refusals</h4>
          <p className="api-refusals small">
            {refuses.map((code) => (
              <a key={code} href={`#${code}`}>
                {code}
              </a>
            ))}
          </p>
        </>
      ) : null}
      <pre className="api-example" role="region" aria-label={`Example: ${summary}`} tabIndex={0}>
        {example}
      </pre>
    </div>
  )
}

function Problems({ problems }: { problems: DocsView['problems'] }) {
  return (
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
  )
}

function Fields({ fields, isInput }: { fields: FieldView[]; isInput: boolean }) {
  return (
    <dl className="api-fields">
      {fields.map(({ name, type, shape, isRequired, says, example }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            {shape ? <a href={`#shape-${shape}`}>{type}</a> : <span>{type}</span>}
            {isInput && isRequired ? <b>, required</b> : null}
            {says ? <span className="muted"> {says}</span> : null}
            {example ? (
              <span className="muted">
                {' '}
                Like <code>{example}</code>
              </span>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Text in which what stands in backticks is code. */
function Coded({ text }: { text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : <code key={`${index} ${part}`}>{part}</code>))
}
