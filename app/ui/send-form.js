/**
 * Sends a form without leaving the page, so that nothing typed is lost where there is no connection. The form works without it. It is sent to the
 * browser as it stands, so it is plain JavaScript. The form carries data-send-form and, in data-failed, what to say when nothing arrives; its file
 * field may carry data-max-bytes with data-too-large.
 */
const slowAfter = 250

/** @param {HTMLFormElement} form */
function begin(form) {
  /** @type {HTMLElement | null} */
  const status = form.querySelector('[data-send-status]')
  /** @type {HTMLButtonElement | null} */
  const button = form.querySelector('button[type=submit]')
  /** @type {HTMLInputElement | null} */
  const file = form.querySelector('input[type=file]')
  if (!status || !button) return
  const label = button.textContent
  let isSending = false

  /** @param {string} text */
  function say(text) {
    status.textContent = text
    status.hidden = text === ''
  }

  file?.addEventListener('change', () => {
    const isTooLarge = Array.from(file.files ?? []).some(({ size }) => size > Number(file.dataset.maxBytes))
    say(isTooLarge ? (file.dataset.tooLarge ?? '') : '')
    if (isTooLarge) file.value = ''
  })

  async function send() {
    isSending = true
    say('')
    form.setAttribute('aria-busy', 'true')
    const slow = setTimeout(() => (button.textContent = 'Sending…'), slowAfter)
    try {
      const fields = new FormData(form)
      const answer = await fetch(form.action, {
        method: 'POST',
        body:
          form.enctype === 'multipart/form-data'
            ? fields
            : new URLSearchParams(Array.from(fields, ([name, value]) => [name, typeof value === 'string' ? value : ''])),
      })
      if (answer.redirected) return location.assign(answer.url)
      show(new DOMParser().parseFromString(await answer.text(), 'text/html'))
    } catch {
      say(`${form.dataset.failed}. You seem to be offline: what you wrote is still here. Send it again when you are back.`)
    } finally {
      clearTimeout(slow)
      button.textContent = label
      form.removeAttribute('aria-busy')
      isSending = false
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!isSending) void send()
  })
}

/**
 * The page as the store answered it: with what was typed, and a message by each field.
 * @param {Document} page
 */
function show(page) {
  const main = page.querySelector('main')
  if (!main) throw new Error('That is no page of the store.')
  document.querySelector('main')?.replaceWith(main)
  beginAll()
  /** @type {HTMLElement | null} */
  const summary = main.querySelector('.error-summary')
  summary?.focus()
  summary?.scrollIntoView({ block: 'center' })
}

function beginAll() {
  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll('form[data-send-form]')
  for (const form of forms) begin(form)
}

beginAll()
