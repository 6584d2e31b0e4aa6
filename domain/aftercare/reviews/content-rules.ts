/**
 * Content rules for reviews, and review states. The rules apply only to the text. The star rating isn't considered (16
 * CFR 465.7, which prohibits suppressing negative reviews).
 */
import { z } from 'zod'
import type { Transitions } from '#platform/transitions.ts'

export const reviewStates = ['waiting', 'published', 'refused'] as const
export type ReviewState = (typeof reviewStates)[number]

export const reviewLife: Transitions<ReviewState> = {
  waiting: ['published', 'refused'],
  published: ['refused', 'waiting'],
  refused: [],
}

/** What the automatic screening flags; see `screenReview`. */
export const screeningReasons = ['link', 'contact-details', 'profanity', 'shouting'] as const
export type ScreeningReason = (typeof screeningReasons)[number]

/**
 * Why a review is held for a moderator. It has flagged text, no delivered order for the tires, or a missing or new
 * account.
 */
export type HoldReason = ScreeningReason | 'unverified' | 'unknown-account'

/** An account is trusted after this many days, which discourages opening one per review. */
export const knownAccountDays = 7

/** The only reasons for which a moderator may refuse a review. */
export const refusalReasons = [
  'off-topic',
  'profanity',
  'personal-information',
  'advertising',
  'not-genuine',
  'hateful',
  'unlawful',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** Each rule as worded on the public page, and in the mail to the writer. */
export const contentRules: Readonly<Record<RefusalReason, { readonly rule: string; readonly told: string }>> = {
  'off-topic': {
    rule: 'It’s about how this tire drives, wears, sounds, or grips.',
    told: 'It is about something other than this tire.',
  },
  profanity: { rule: 'It does without swearing.', told: 'It has swear words in it.' },
  'personal-information': {
    rule: 'It names no private person and gives no phone number, email or street address.',
    told: 'It gives away personal information, such as a phone number or a private person’s name.',
  },
  advertising: {
    rule: 'It has no advertising or links to other sites.',
    told: 'It advertises something or leads to another site.',
  },
  'not-genuine': {
    rule: 'It describes your own experience with the tire. It isn’t paid for, and the writer doesn’t sell this or a competing product.',
    told: 'We have reason to believe that it doesn’t describe the writer’s own experience with the tire.',
  },
  hateful: {
    rule: 'It contains no threats or hate speech.',
    told: 'It threatens someone or runs a group of people down.',
  },
  unlawful: {
    rule: 'It breaks no law and no one’s copyright.',
    told: 'Publishing it would break a law or a copyright.',
  },
}

/** A moderator's refusal of a review, for a rule that it breaks. */
export const reviewRefusalForm = z.object({
  reason: z.enum(refusalReasons, 'Choose the rule that this review breaks.'),
})

export function isRefusalReason(text: string): text is RefusalReason {
  return (refusalReasons as readonly string[]).includes(text)
}
