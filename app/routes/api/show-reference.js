/**
 * Puts Scalar's reference in the place of the list of calls. It is sent to the browser as it stands, so it is plain
 * JavaScript. Whatever of Scalar would speak to its makers' servers is off; the page's policy holds it to ours.
 */
/** @typedef {{ createApiReference(place: HTMLElement | null, configuration: object): void }} Scalar */
const host = /** @type {Window & { Scalar?: Scalar, __zod_globalConfig?: object }} */ (window)
/**
 * Not called "api-reference": there Scalar would put another one by itself.
 * @type {HTMLElement | null}
 */
const holder = document.querySelector('#api-in-full')
/** @type {HTMLElement | null} */
const callList = document.querySelector('#api-list')
const { script = '', openapi } = holder?.dataset ?? {}

// The type of a problem leads to its code. Scalar would take that for the beginning of its own addresses.
const linkedProblem = document.getElementById(location.hash.slice(1))?.closest('.api-problems > div')
if (linkedProblem) {
  linkedProblem.closest('details')?.setAttribute('open', '')
  history.replaceState(history.state, '', location.pathname)
}

// Its zod would try whether it may compile text, which the policy forbids and the browser complains of.
host.__zod_globalConfig = { jitless: true }

// The privacy page names all that is kept in a browser: what Scalar would remember is not among it.
const { setItem } = Storage.prototype
Storage.prototype.setItem = function (name, value) {
  if (!/^(scalar|colorMode)/.test(name)) setItem.call(this, name, value)
}

function draw() {
  host.Scalar?.createApiReference(holder, {
    url: openapi,
    onLoaded: () => {
      if (callList) callList.hidden = true
      linkedProblem?.scrollIntoView()
    },
    theme: 'none',
    withDefaultFonts: false,
    forceDarkModeState: 'light',
    hideDarkModeToggle: true,
    proxyUrl: '',
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    persistAuth: false,
  })
}

void import(script).then(draw)
