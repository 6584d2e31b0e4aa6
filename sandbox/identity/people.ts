import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { newId } from '../ids.ts'
import type { Store } from '../store.ts'

/** Somebody who can sign in. The email is kept in lower case. */
export type Person = {
  id: string
  email: string
  isEmailVerified: boolean
  name: string
  /** Null for who came by a one-tap credential and never chose one. */
  password: { salt: string; hash: string } | null
  changedAt: string
}

type NewPerson = Pick<Person, 'email' | 'name' | 'isEmailVerified'>

export type People = ReturnType<typeof openPeople>

/**
 * There from the start, so that the demo can be looked at from inside. Printed by `npm start`, shown on the sandbox's
 * home page.
 */
export const demoPassword = 'sidewall-demo'
export const demoPeople = [
  { email: 'dana@example.com', name: 'Dana Ruiz', isEmailVerified: true, words: 'A shopper whose email is verified' },
  {
    email: 'lee@example.com',
    name: 'Lee Park',
    isEmailVerified: false,
    words: 'A shopper who has not opened the verification mail yet',
  },
  { email: 'erin@example.com', name: 'Erin Cole', isEmailVerified: true, words: 'Works here: employee price' },
  {
    email: 'felix@example.com',
    name: 'Felix Grant',
    isEmailVerified: true,
    words: 'Owns a fleet, with orders on net terms, open and paid invoices: fleet price',
  },
  {
    email: 'tilda@example.com',
    name: 'Tilda Lund',
    isEmailVerified: true,
    words: 'Buys for Felix’s fleet: sees her own orders',
  },
  {
    email: 'vic@example.com',
    name: 'Vic Moss',
    isEmailVerified: true,
    words: 'Watches over Felix’s fleet: sees every order and invoice, buys nothing',
  },
  {
    email: 'paula@example.com',
    name: 'Paula Ortiz',
    isEmailVerified: true,
    words: 'A partner with orders and store credit: partner price',
  },
  {
    email: 'mona@example.com',
    name: 'Mona Webb',
    isEmailVerified: true,
    words: 'Has a membership, orders and store credit: loyalty member price',
  },
  {
    email: 'sol@example.com',
    name: 'Sol Marsh',
    isEmailVerified: true,
    words: 'Owns a company that orders specially: special pricing',
  },
  { email: 'will@example.com', name: 'Will Tran', isEmailVerified: true, words: 'A dealer: wholesale price' },
  {
    email: 'sam@example.com',
    name: 'Sam Doyle',
    isEmailVerified: true,
    words: 'Sells for the store: sales account, at retail',
  },
  { email: 'noa@example.com', name: 'Noa Kim', isEmailVerified: true, words: 'An account without a type, at retail' },
  {
    email: 'olive@example.com',
    name: 'Olive Hart',
    isEmailVerified: true,
    words: 'Has ordered before: an order in every state',
  },
  { email: 'rita@example.com', name: 'Rita Vale', isEmailVerified: true, words: 'Is shown and sold two brands only' },
] as const

export const shortestPassword = 10

/** The people of the sandbox's identity provider. */
export function openPeople(store: Store, now: () => Temporal.Instant) {
  const people = store.collection<Person>('person')
  const idsByEmail = store.collection<string>('person-email')
  const codes = store.collection<string>('person-verification')

  function findByEmail(email: string): Person | undefined {
    const id = idsByEmail.get(email.toLowerCase())
    return id === undefined ? undefined : people.get(id)
  }

  function keep(person: Person): Person {
    const changed = { ...person, changedAt: now().toString() }
    people.put(person.id, changed)
    return changed
  }

  /** Adds a person, or answers undefined when the email belongs to somebody already. */
  async function add(input: NewPerson & { password: string | null }): Promise<Person | undefined> {
    return addHashed(input, input.password === null ? null : await hashed(input.password))
  }

  function addHashed(input: NewPerson, password: Person['password']): Person | undefined {
    return store.transaction(() => {
      if (findByEmail(input.email)) return undefined
      const person = keep({
        id: newId('person_', 16),
        email: input.email.toLowerCase(),
        isEmailVerified: input.isEmailVerified,
        name: input.name,
        password,
        changedAt: '',
      })
      idsByEmail.put(person.email, person.id)
      return person
    })
  }

  return {
    get: people.get,
    findByEmail,
    add,
    async addDemoPeople(): Promise<void> {
      const missing = demoPeople.filter(({ email }) => !findByEmail(email))
      if (missing.length === 0) return
      // They share a password, which is hashed once: whoever signs in first waits for it.
      const password = await hashed(demoPassword)
      for (const person of missing) addHashed(person, password)
    },
    /**
     * The person whose email somebody else vouches for, added if need be. Whoever registered with it before and never
     * showed that it is theirs loses the password they chose: it may have been another person's.
     */
    async enterByProof({ email, name }: { email: string; name: string }): Promise<Person> {
      const known =
        findByEmail(email) ?? (await add({ email, name, password: null, isEmailVerified: true })) ?? findByEmail(email)
      if (!known) throw new Error(`${email} was neither found nor added.`)
      return known.isEmailVerified ? known : keep({ ...known, isEmailVerified: true, password: null })
    },
    /** The person whose email and password these are. A stranger's email costs the same time as a wrong password. */
    async check(email: string, password: string): Promise<Person | undefined> {
      const person = findByEmail(email)
      const isRight = await matches(person?.password ?? nobodys, password)
      return isRight ? person : undefined
    },
    async changePassword(person: Person, password: string): Promise<void> {
      const fresh = await hashed(password)
      keep({ ...person, password: fresh })
    },
    rename: (person: Person, name: string) => keep({ ...person, name }),
    /** The code in the mail that verifies an address. */
    newVerification(person: Person): string {
      const code = newId('', 32)
      codes.put(code, person.id)
      return code
    },
    /**
     * Whose mail the code was in; it works as often as it is opened, as mail programs open links before their reader
     * does.
     */
    verify(code: string): Person | undefined {
      const id = codes.get(code)
      const person = id === undefined ? undefined : people.get(id)
      return person && keep({ ...person, isEmailVerified: true })
    },
  }
}

const derive = promisify<string, Buffer, number, Buffer>(scrypt)

async function hashed(password: string): Promise<{ salt: string; hash: string }> {
  const salt = randomBytes(16)
  return { salt: salt.toString('base64url'), hash: (await derive(password, salt, 32)).toString('base64url') }
}

/** Compared with when there is no such person: nobody knows a password that comes to this. */
const nobodys = { salt: randomBytes(16).toString('base64url'), hash: randomBytes(32).toString('base64url') }

async function matches({ salt, hash }: { salt: string; hash: string }, password: string): Promise<boolean> {
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url'), 32), Buffer.from(hash, 'base64url'))
}
