import { paths } from '#content/paths.ts'
import { answerOf, pages, whyNot } from '#app/ui/store-client.ts'

/** The server's response to a change of the comparison. */
export type ComparisonAnswer = { keys: readonly string[]; bar: string; said: string }

/** Submits the form and shows the response, with the bar, every button's state, and a screen reader announcement. */
export async function changeComparison(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const fields = [...new FormData(form, submitter)].filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  )
  const answer = await answerOf(pages.call(`POST ${paths.compareChoice()}`, { form: Object.fromEntries(fields) }))
  const status = form.querySelector('[role="status"]')
  if (status) {
    status.className = answer.ok ? 'visually-hidden' : 'foot-note'
    status.textContent = answer.ok ? answer.data.said : `The comparison didn’t change. ${whyNot(answer)}. Try again.`
  }
  const bar = document.querySelector('.compare-bar')
  if (!answer.ok || !bar) return
  const { keys, bar: shown } = answer.data
  const hadFocus = bar.contains(document.activeElement)
  bar.innerHTML = shown
  for (const button of document.querySelectorAll<HTMLButtonElement>('.compare-toggle')) {
    const isChosen = keys.includes(button.value)
    button.name = isChosen ? 'remove' : 'add'
    button.ariaPressed = String(isChosen)
  }
  // The clicked button was removed, so focus moves to the next one, or to the page.
  if (hadFocus) (bar.querySelector<HTMLElement>('button, a') ?? document.getElementById('main'))?.focus()
}
