/** Questions and answers: content/faqs.yaml, checked on first read and cached for the business terms that apply. */
import { parse } from 'yaml'
import { z } from 'zod'
import { fillConstants } from './constants.server.ts'
import { perTerms } from './copy-terms.server.ts'
import { isSold } from './library.server.ts'
import { anchorOf, plainText, renderMarkdown } from './markdown.server.ts'
import { storePrograms, type StoreKind } from '#domain/branded-stores/branded-stores.ts'
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
