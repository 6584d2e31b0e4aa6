import { applicationContext } from '#app/server/context.ts'
import { storeKindOf } from '#domain/pricing/store-programs/store-programs.ts'
import { listAllQuestions } from '#app/content/faqs.server.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import { AskUs } from '#app/ui/ask-us.tsx'
import type { Route } from './+types/faqs.ts'

export const handle = { script: false }

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? pageHead(matches, {
        title: 'Questions and answers',
        description: 'Short answers about fit, prices, shipping, installation, returns, and coverage.',
        path: paths.faqs(),
        structuredData: loaderData.structuredData,
      })
    : []

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export async function loader({ context }: Route.LoaderArgs) {
  const { brandedStore, content } = context.get(applicationContext)
  const sections = await listAllQuestions(content.current, storeKindOf(brandedStore))
  const answers = sections.flatMap(({ questions }) => questions)
  return {
    sections: sections.map(({ id, name, questions }) => ({
      id,
      name,
      questions: questions.map(({ id, question, html }) => ({ id, question, html })),
    })),
    structuredData: [
      {
        '@context': 'https://schema.org',
        '@type': 'FAQPage',
        mainEntity: answers.map(({ question, text }) => ({
          '@type': 'Question',
          name: question,
          acceptedAnswer: { '@type': 'Answer', text },
        })),
      },
    ],
  }
}

const crumbs = [{ label: 'Help center', path: paths.help() }]

export default function Faqs({ loaderData: { sections } }: Route.ComponentProps) {
  return (
    <div className="wrap help">
      <Crumbs crumbs={crumbs} here="Questions and answers" />
      <header className="help-head">
        <h1>Questions and answers</h1>
        <nav aria-label="Sections">
          <ul className="help-sections">
            {sections.map(({ id, name }) => (
              <li key={id}>
                <a className="chip" href={`#${id}`}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      {sections.map(({ id, name, questions }) => (
        <section key={id} aria-labelledby={id} className="questions">
          <h2 id={id}>{name}</h2>
          <div className="panel">
            {questions.map((question) => (
              <details key={question.id}>
                <summary>
                  <h3>{question.question}</h3> <Icon name="down" size="s" />
                </summary>
                {/* The anchor is inside because browsers open a collapsed element that contains the target. */}
                <div id={question.id} className="answer" dangerouslySetInnerHTML={{ __html: question.html }} />
              </details>
            ))}
          </div>
        </section>
      ))}
      <AskUs />
    </div>
  )
}
