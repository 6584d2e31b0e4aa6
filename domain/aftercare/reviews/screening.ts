/**
 * Automatic review screening. Flagged reviews are held for a moderator, who decides by the content rules; screening
 * never refuses automatically.
 */
import type { ScreeningReason } from './content-rules.ts'

/** The screened text. Ratings are left out on purpose. */
export type ReviewText = { readonly summary: string; readonly comments: string; readonly name: string }

/** Returns concerns a moderator should check in the text; empty if not flagged. */
export function screenReview({ summary, comments, name }: ReviewText): ScreeningReason[] {
  const whole = `${name}\n${summary}\n${comments}`
  const found: ScreeningReason[] = []
  if (hasLink(whole)) found.push('link')
  if (hasContact(whole)) found.push('contact-details')
  if (hasProfanity(whole)) found.push('profanity')
  if (isShouted(summary) || isShouted(comments)) found.push('shouting')
  return found
}

function hasLink(text: string): boolean {
  return (
    /\b(?:https?:\/\/|www\.)\S/i.test(text) ||
    /(?<![@\w-])[a-z0-9-]{2,}\.(?:com|net|org|info|biz|shop|store|site|online|io|co|us|ru|ly)\b/i.test(text)
  )
}

/** An email address, or ten digits written as a phone number. */
function hasContact(text: string): boolean {
  return (
    /[^\s@]@[^\s@]+\.[a-z]{2,}/i.test(text) ||
    /(?<!\d)(?:\+?1[\s.-]?)?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/.test(text)
  )
}

// Word stems that don't occur in other English words. Intentionally short; readers can report the rest to a moderator.
const swearing =
  /\b(?:mother)?fuck|\b(?:bull|horse|dip)?shit(?:s|ty|head|heads|hole|show|ting)?\b|\bass ?holes?\b|\bbitch(?:es|ing|y)?\b|\bcunts?\b|\bwank(?:er|ers|ing)\b/

/** Also in disguised spellings: "sh1t", "f*ck", "fuuuck". */
function hasProfanity(text: string): boolean {
  const plain = text
    .toLowerCase()
    .replaceAll(/[@$013!]/g, (sign) => disguises[sign] ?? sign)
    .replaceAll(/\bf[*#]+c?k/g, 'fuck')
    .replaceAll(/\bsh[*#]+t/g, 'shit')
    .replaceAll(/([a-z])\1{2,}/g, '$1')
  return swearing.test(plain)
}

const disguises: Record<string, string> = { '@': 'a', $: 's', '0': 'o', '1': 'i', '3': 'e', '!': 'i' }

/** Mostly capitals, or several exclamation marks. Short texts may be names in capitals. */
function isShouted(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? []
  const capitals = letters.filter((letter) => letter !== letter.toLowerCase())
  return /!{4,}/.test(text) || (letters.length >= 16 && capitals.length > letters.length * 0.6)
}
