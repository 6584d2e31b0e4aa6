/** Questions and answers: content/faqs.yaml, checked on first read and cached, since it changes only with a release. */
import { parse } from 'yaml'
import { z } from 'zod'
import { fillConstants } from './constants.server.ts'
import { anchorOf, plainText, renderMarkdown } from './markdown.server.ts'
import { readTextFile } from '#platform/text-file.ts'

const file = 'content/faqs.yaml'
const sections = z.array(
  z.strictObject({
    section: z.string().min(3).max(40),
    questions: z.array(z.strictObject({ question: z.string().endsWith('?'), answer: z.string().min(20) })).min(1),
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

let kept: Promise<readonly QuestionSection[]> | undefined

/** Returns every question by section, in file order. Throws if the file does not match its schema. */
export function listQuestions(): Promise<readonly QuestionSection[]> {
  return (kept ??= readQuestions())
}

async function readQuestions(): Promise<readonly QuestionSection[]> {
  const checked = sections.safeParse(parse(fillConstants(await readTextFile(file), file)))
  if (!checked.success) throw new Error(`${file}: ${z.prettifyError(checked.error)}`)
  return Promise.all(
    checked.data.map(async ({ section, questions }) => ({
      id: anchorOf(section),
      name: section,
      questions: await Promise.all(
        questions.map(async ({ question, answer }) => {
          const { html } = await renderMarkdown(answer)
          return { id: anchorOf(question), question, html, text: plainText(html).trim() }
        }),
      ),
    })),
  )
}
