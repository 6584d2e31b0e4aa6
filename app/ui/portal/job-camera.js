/**
 * A button beside each DOT code that reads it from a photo, on the work order. Sent to the browser unbuilt, so it is plain
 * JavaScript; the reader is loaded with the first photo. Without it the code is typed.
 */
const script = document.querySelector('script[data-tin-reader]')
const [address, engine] = [script?.getAttribute('data-tin-reader'), script?.getAttribute('data-engine')]

/** @type {Worker | null} */
let reader = null
/** The reading that is under way; another photo takes its place. */
/** @type {((answer: { share?: number, tin?: string | null, failed?: string }) => void) | null} */
let told = null

const words = {
  reading: 'Reading the photo …',
  none: 'No DOT code was found. Hold the phone close and level, with light from the side, or type the code.',
  failed: 'That photo cannot be read. Take another one, or type the code.',
}

if (address && engine && 'Worker' in window && 'OffscreenCanvas' in window)
  for (const input of document.querySelectorAll('input[data-tin]'))
    if (input instanceof HTMLInputElement && !input.matches(':disabled')) addButton(input, address, engine)

/**
 * @param {HTMLInputElement} input
 * @param {string} from
 * @param {string} folder
 */
function addButton(input, from, folder) {
  const [button, file, status] = [
    document.createElement('button'),
    document.createElement('input'),
    document.createElement('p'),
  ]
  button.type = 'button'
  button.className = 'btn wide job-photo'
  button.textContent = `Read ${input.dataset['tin']} from a photo`
  // Without a name it is never sent. No `capture`: phones then offer the camera and the photos.
  file.type = 'file'
  file.accept = 'image/*'
  file.hidden = true
  status.className = 'small'
  status.setAttribute('role', 'status')
  button.addEventListener('click', () => file.click())
  file.addEventListener('change', () => {
    const [photo] = file.files ?? []
    if (photo) void read(photo)
    file.value = ''
  })
  input.closest('.field-row')?.append(button, file, status)

  /** @param {File} photo */
  async function read(photo) {
    status.textContent = words.reading
    const answer = await ask(photo, from, folder, (share) => {
      status.textContent = `${words.reading} ${Math.round(share * 100)}%`
    })
    if (answer.failed !== undefined) status.textContent = words.failed
    else if (answer.tin === undefined) status.textContent = ''
    else if (answer.tin === null) status.textContent = words.none
    else {
      input.value = answer.tin
      input.dispatchEvent(new Event('input', { bubbles: true }))
      status.textContent = `Read ${answer.tin}. Compare it with the tire.`
    }
  }
}

/**
 * @param {File} photo
 * @param {string} from
 * @param {string} folder
 * @param {(share: number) => void} onProgress
 * @returns {Promise<{ tin?: string | null, failed?: string }>}
 */
function ask(photo, from, folder, onProgress) {
  // A reading that is under way is ended with its worker.
  if (told) {
    told({})
    reader?.terminate()
    reader = null
  }
  const worker = (reader ??= new Worker(from))
  return new Promise((resolve) => {
    /** @param {{ share?: number, tin?: string | null, failed?: string }} answer */
    const tell = (answer) => {
      if (answer.share !== undefined) return onProgress(answer.share)
      told = null
      if (answer.failed !== undefined) {
        worker.terminate()
        reader = null
      }
      resolve(answer)
    }
    told = tell
    worker.onmessage = ({ data }) => tell(data)
    worker.onerror = () => tell({ failed: 'The reader did not start.' })
    worker.postMessage({ photo, engine: folder })
  })
}
