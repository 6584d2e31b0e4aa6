/** Questions and answers: content/faqs.yaml, checked on first read and cached for the business terms that apply. */
import { parse } from 'yaml'
import { z } from 'zod'
import { fillConstants } from './constants.server.ts'
import { perTerms } from './copy-terms.server.ts'
import { isSold } from './library.server.ts'
import { anchorOf, renderMarkdown } from './markdown.server.ts'
import { storePrograms, type StoreKind } from '#domain/pricing/store-programs/store-programs.ts'
import type { PublishedTexts } from '#domain/kernel/content/content.ts'
import { findPart } from './pages.server.ts'
import { plainText } from '#platform/html-text.ts'
import { readTextFile } from '#platform/text-file.ts'

const file = 'content/faqs.yaml'
const sections = z.array(
  z.strictObject({
    section: z.string().min(3).max(40),
    questions: z
      .array(
        z.strictObject({
          question: z.string().endsWith('?'),
          answer: z.string().min(20),
          /** Stores that do not sell it do not answer the question. */
          program: z.enum(storePrograms).optional(),
        }),
      )
      .min(1),
  }),
)

export type Question = {
  /** Its anchor in the page. */
  readonly id: string
  readonly question: string
  readonly html: string
  readonly text: string
}
export type QuestionSection = { readonly id: string; readonly name: string; readonly questions: readonly Question[] }

const kept = perTerms(() => new Map<StoreKind, Promise<readonly QuestionSection[]>>())

/** Returns every question that stores of this kind answer, by section, in file order. Throws if the file does not match its schema. */
export function listQuestions(store: StoreKind): Promise<readonly QuestionSection[]> {
  const reading = kept().get(store) ?? readQuestions(store)
  kept().set(store, reading)
  return reading
}

/**
 * Returns the released questions, followed by a section that the store wrote, in which second-level headings are
 * questions. A heading with the words of a released question replaces its answer, or removes it if no text follows.
 */
export async function listAllQuestions(texts: PublishedTexts, store: StoreKind): Promise<readonly QuestionSection[]> {
  const [released, part] = await Promise.all([listQuestions(store), findPart('own-questions', texts, store)])
  if (!part) return released
  const own = new Map(questionsOf(part.html).map((question) => [question.id, question]))
  const replaced = new Set<string>()
  const sections = released.map((section) => ({
    ...section,
    questions: section.questions.map((question) => {
      const answer = own.get(question.id)
      if (!answer) return question
      replaced.add(question.id)
      return { ...question, html: answer.html, text: answer.text }
    }),
  }))
  const added = [...own.values()]
    .filter(({ id }) => !replaced.has(id))
    .map((each) => ({ ...each, id: `own-${each.id}` }))
  return [...sections, { id: `own-${anchorOf(part.title)}`, name: part.title, questions: added }]
    .map((section) => ({ ...section, questions: section.questions.filter(({ html }) => html !== '') }))
    .filter(({ questions }) => questions.length > 0)
}

/** Splits rendered Markdown at its second-level headings. The answer may be empty. */
function questionsOf(html: string): Question[] {
  return html
    .split(/<h2[^<>]*>/)
    .slice(1)
    .flatMap((part) => {
      const end = part.indexOf('</h2>')
      const question = plainText(part.slice(0, end)).trim()
      const answer = part.slice(end + '</h2>'.length).trim()
      if (end < 0 || question === '') return []
      return [{ id: anchorOf(question), question, html: answer, text: plainText(answer).trim() }]
    })
}

async function readQuestions(store: StoreKind): Promise<readonly QuestionSection[]> {
  const checked = sections.safeParse(parse(fillConstants(await readTextFile(file), file, { store })))
  if (!checked.success) throw new Error(`${file}: ${z.prettifyError(checked.error)}`)
  return Promise.all(
    checked.data.map(async ({ section, questions }) => ({
      id: anchorOf(section),
      name: section,
      questions: await Promise.all(
        questions
          .filter((each) => isSold(each, store))
          .map(async ({ question, answer }) => {
            const { html } = await renderMarkdown(answer)
            return { id: anchorOf(question), question, html, text: plainText(html).trim() }
          }),
      ),
    })),
  )
}
