import { html, raw } from 'hono/html'
import { field, shopperPage, type Html } from '../pages/layout.ts'
import { agentScopes, apiScopes } from './api-scopes.ts'
import { factorReports } from './factors.ts'
import { demoPassword, shortestPassword, type DemoPerson } from './people.ts'

/** The submitted values of a refused provider form, and their errors. Passwords must be retyped. */
export type Reply = { values: Record<string, string>; faults: Record<string, string>; problem?: string }

export const nothingTyped: Reply = { values: {}, faults: {} }

export function signInPage(uid: string, { values, problem }: Reply, [first]: readonly DemoPerson[]): Html {
  return shopperPage(
    'Sign in',
    html`<h1>Sign in</h1>
      ${problemLine(problem)}
      <form method="post" action="/identity/interaction/${uid}/login">
        ${emailField(values.email)}
        ${passwordField({ name: 'password', label: 'Password', autocomplete: 'current-password' })}
        <div class="field">
          <label for="factor">How you sign in</label>
          <select id="factor" name="factor">
            ${Object.entries(factorReports).map(([value, { label }]) => html`<option value="${value}">${label}</option>`)}
          </select>
        </div>
        <button class="button primary wide">Sign in</button>
      </form>
      <p>No account yet? <a href="/identity/interaction/${uid}/register">Create one</a></p>
      ${
        first
          ? html`<p class="muted">
              To look around, sign in as ${first.email} with <code>${demoPassword}</code>.
              <a href="/#people">Everybody in the demo</a>
            </p>`
          : ''
      }
      ${backForm(uid)}`,
    'page',
  )
}

export function registerPage(uid: string, { values, faults, problem }: Reply): Html {
  return shopperPage(
    'Create an account',
    html`<h1>Create an account</h1>
      ${problemLine(problem)}
      <form method="post" action="/identity/interaction/${uid}/register" novalidate>
        ${field({ name: 'name', label: 'Your name', autocomplete: 'name', value: values.name ?? '', fault: faults.name, maxlength: 60 })}
        ${emailField(values.email, faults.email)}
        ${passwordField({
          name: 'password',
          label: `Password, ${shortestPassword} characters or more`,
          autocomplete: 'new-password',
          fault: faults.password,
        })}
        <button class="button primary wide">Create account</button>
      </form>
      <p>Have an account? <a href="/identity/interaction/${uid}/login">Sign in</a></p>
      ${backForm(uid)}`,
    'page',
  )
}

/** Renders the consent page for an app that requests access to the store account. */
export function consentPage(uid: string, client: string, scopes: readonly string[]): Html {
  return shopperPage(
    'Allow access',
    html`<h1>${client} asks for access</h1>
      <p>It wants to act for you at the store:</p>
      <ul>
        ${scopes.map((scope) => html`<li>${apiScopes[scope] ?? agentScopes[scope] ?? scope} <span class="muted">(${scope})</span></li>`)}
      </ul>
      ${scopes.length === 0 ? html`<p class="muted">Nothing but knowing who you are.</p>` : ''}
      <p class="muted">You can take the access away at any time, in your account at the store.</p>
      <form method="post" action="/identity/interaction/${uid}/consent">
        <button class="button primary wide">Allow</button>
      </form>
      <form method="post" action="/identity/interaction/${uid}/abort">
        <button class="button wide">Do not allow</button>
      </form>`,
    'page',
  )
}

/** `back` is a page of the store; `query` carries it through the form. */
export function profilePage(
  person: { email: string; isEmailVerified: boolean },
  back: string,
  query: string,
  { values, faults, problem }: Reply,
): Html {
  return shopperPage(
    'Edit your profile',
    html`<h1>Edit your profile</h1>
      ${problemLine(problem)}
      <form method="post" action="/identity/edit-profile${query}" novalidate>
        ${field({ name: 'name', label: 'Your name', autocomplete: 'name', value: values.name ?? '', fault: faults.name, maxlength: 60 })}
        <p>
          ${person.email}
          <span class="tag ${person.isEmailVerified ? 'go' : 'wait'}"
            >${person.isEmailVerified ? 'verified' : 'not verified yet'}</span
          >
        </p>
        <button class="button primary wide">Save</button>
      </form>
      ${
        person.isEmailVerified
          ? ''
          : html`<form method="post" action="/identity/edit-profile${query}">
              <input type="hidden" name="intent" value="verify" /><button class="button wide">
                Send the verification mail again
              </button>
            </form>`
      }
      <p><a href="${back}">Go back to the store</a></p>`,
    'page',
  )
}

export function passwordPage(back: string, query: string, { faults, problem }: Reply): Html {
  return shopperPage(
    'Change your password',
    html`<h1>Change your password</h1>
      ${problemLine(problem)}
      <form method="post" action="/identity/change-password${query}" novalidate>
        ${passwordField({ name: 'current', label: 'Password now', autocomplete: 'current-password', fault: faults.current })}
        ${passwordField({
          name: 'password',
          label: `New password, ${shortestPassword} characters or more`,
          autocomplete: 'new-password',
          fault: faults.password,
        })}
        <button class="button primary wide">Change password</button>
      </form>
      <p><a href="${back}">Go back to the store</a></p>`,
    'page',
  )
}

/** A message with one link onward. */
export function noticePage(title: string, words: string, way: { href: string; words: string }): Html {
  return shopperPage(
    title,
    html`<h1>${title}</h1>
      <p>${words}</p>
      <p><a class="button primary" href="${way.href}">${way.words}</a></p>`,
    'page',
  )
}

/** `form` is the provider's own form, without buttons. */
export async function signOutPage(form: string): Promise<string> {
  return String(
    await shopperPage(
      'Sign out',
      html`<h1>Sign out here too?</h1>
        <p>The store has signed you out. You are still signed in here, at its sign-in service.</p>
        ${raw(form)}
        <p class="row">
          <button class="button primary" form="op.logoutForm" name="logout" value="yes">Sign out</button>
          <button class="button" form="op.logoutForm">Stay signed in here</button>
        </p>`,
      'page',
    ),
  )
}

export async function signedOutPage(storeOrigin: string): Promise<string> {
  return String(
    await noticePage('You are signed out', "You aren't signed in to any account in this browser.", {
      href: `${storeOrigin}/`,
      words: 'To the store',
    }),
  )
}

export async function failurePage(reason: string, storeOrigin: string): Promise<string> {
  return String(
    await noticePage('That did not work', `${reason}.`, {
      href: `${storeOrigin}/sign-in`,
      words: 'Start again at the store',
    }),
  )
}

function problemLine(problem: string | undefined): Html | '' {
  return problem ? html`<p class="error" role="alert">${problem}</p>` : ''
}

function emailField(value: string | undefined, fault?: string): Html {
  return field({
    name: 'email',
    label: 'Email',
    autocomplete: 'username',
    inputmode: 'email',
    value: value ?? '',
    fault,
    maxlength: 254,
  })
}

function passwordField(input: { name: string; label: string; autocomplete: string; fault?: string | undefined }): Html {
  return field({ ...input, type: 'password', maxlength: 200 })
}

/** Going back declines the sign-in; the store then returns the visitor to where they were. */
function backForm(uid: string): Html {
  return html`<form method="post" action="/identity/interaction/${uid}/abort">
    <button class="link">Go back without signing in</button>
  </form>`
}
