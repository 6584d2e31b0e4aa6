/** What the server answers to a change of the comparison. */
export type ComparisonAnswer = { keys: readonly string[]; bar: string; said: string }

/** Sends the form and puts the answer in its place: the bar, the state of every button, and what happened for who cannot see it. */
export async function changeComparison(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const fields = [...new FormData(form, submitter)].filter((field): field is [string, string] => typeof field[1] === 'string')
  const answer = await send(form.action, new URLSearchParams(fields))
  const status = form.querySelector('[role="status"]')
  if (status) status.textContent = answer?.said ?? 'That did not reach us. Check your connection and try again.'
  const bar = document.querySelector('.compare-bar')
  if (!answer || !bar) return
  const hadFocus = bar.contains(document.activeElement)
  bar.innerHTML = answer.bar
  for (const button of document.querySelectorAll<HTMLButtonElement>('.compare-toggle')) {
    const isChosen = answer.keys.includes(button.value)
    button.name = isChosen ? 'remove' : 'add'
    button.ariaPressed = String(isChosen)
  }
  // What was pressed is gone: its neighbors, or the page, take the focus.
  if (hadFocus) (bar.querySelector<HTMLElement>('button, a') ?? document.getElementById('main'))?.focus()
}

async function send(address: string, body: URLSearchParams): Promise<ComparisonAnswer | undefined> {
  try {
    const response = await fetch(address, { method: 'POST', body, headers: { accept: 'application/json' } })
    return response.ok ? ((await response.json()) as ComparisonAnswer) : undefined
  } catch {
    return undefined
  }
}
