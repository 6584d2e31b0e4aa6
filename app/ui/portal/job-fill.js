/**
 * Fills the DOT code of a line's first tire into its empty ones as soon as the box is checked, on the work order. Sent to
 * the browser unbuilt, so it is plain JavaScript; without it the server fills them in when the form is saved.
 */
for (const box of document.querySelectorAll('input[data-fill]')) if (box instanceof HTMLInputElement) watchBox(box)

/** @param {HTMLInputElement} box */
function watchBox(box) {
  const inputs = [...document.querySelectorAll(`input[data-line="${box.dataset['fill']}"]`)].filter(
    (input) => input instanceof HTMLInputElement,
  )
  const [first, ...others] = inputs
  if (!first) return
  const fill = () => {
    for (const input of others)
      if (box.checked && (input.value === '' || input.dataset['filled'] === 'yes')) {
        input.value = first.value
        input.dataset['filled'] = 'yes'
      } else if (!box.checked && input.dataset['filled'] === 'yes') {
        input.value = ''
        delete input.dataset['filled']
      }
  }
  box.addEventListener('change', fill)
  first.addEventListener('input', fill)
  // What is typed over a filled code is the tire's own.
  for (const input of others) input.addEventListener('input', () => delete input.dataset['filled'])
}
