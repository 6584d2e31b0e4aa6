/**
 * Phrasings that make our English sound translated. A hit is a hint, not proof: rewrite the sentence the way an engineer
 * or product writer would say it aloud, and leave it if it already reads that way.
 */
export type EnglishPattern = {
  key: string
  /** Problem and fix, in a sentence. */
  advice: string
  regex: RegExp
  /** Sentences with an ordinary use of the same words, which don't count. */
  ordinary?: RegExp
  /** A sentence with exactly one hit, for the self-test. */
  example: string
}

const plurals =
  'changes|pages|roles?|rates|links?|labels?|secrets?|mails?|emails|texts|recalls?|registrations?|certifications?|refunds?|quotes?|charges?|feeds?|approvals?|pay|fees|reminders?|jobs?|places?|photos?|pictures?|certificates?|invoices?|parcels?|tires?|units|shops?|vehicles?|maps|readings?|offers?|deals?|coupons?|acts?|words|visits?|screens|buyers?|owners?|members?'
const roles = 'asks|asked|ordered|orders|pays|buys|wants|looks|renews|comes|writes|wrote|reads|gets|waits|has'

export const englishPatterns: readonly EnglishPattern[] = [
  {
    key: 'who',
    advice: 'A clause that starts with "who" has no subject. Name the customer, teammate, or caller.',
    regex: new RegExp(
      `^who (?!is |was |can )[a-z]+s [^?]*$|\\b(?:for|lets?|than|from|by|only) who (?:${roles})\\b`,
      'i',
    ),
    example: 'It is emailed to the customer and sent by text only who asked for it.',
  },
  {
    key: 'body',
    advice: 'Use the role, such as customer or teammate, instead of somebody, nobody, everybody, or whoever.',
    regex: /\b(?:some|no|any|every)body\b|\bwho(?:m)?ever\b/i,
    example: 'Nobody has reviewed this tire.',
  },
  {
    key: 'what',
    advice: 'Name the thing instead of "what is kept" or "what was sent".',
    regex:
      /\bwhat (?:is|was|are|were|has|had|can|cannot|may|others?|comes|goes|becomes|became|remains|waits|stands)\b/i,
    ordinary: /\?$|^what (?:is|are) |no matter what|what if/i,
    example: 'The job deletes what was sent last year.',
  },
  {
    key: 'own',
    advice: 'Use "its own calendar" instead of "a calendar of its own".',
    regex: /\b(?:of|on|with|at) (?:its|their|our|your|my|his|her) own\b|\bof (?:ours|theirs|yours)\b/i,
    example: 'The shop has a calendar of its own.',
  },
  {
    key: 'that-of',
    advice: 'Repeat the noun instead of "that of" or "the one before".',
    regex: /\b(?:that|those) of\b|\bthe (?:ones?|version|secret|list|release|month|days?) before\b/i,
    example: 'The rate equals that of the county.',
  },
  {
    key: 'genitive',
    advice: 'Use a compound noun, such as "shop payouts", instead of "pay of shops".',
    regex: new RegExp(
      `\\b(?:${plurals}) of (?:an?|the|its|their|our|your|each|every|all|one|this|that|these|those|[a-z]+s)\\b`,
      'i',
    ),
    example: 'The list shows the refunds of a month.',
  },
  {
    key: 'told',
    advice: 'Use notify, pass, render, or evaluate instead of told, handed, drawn, or judged.',
    regex:
      /\b(?:tells?|told|hears?|heard|draws?|drawn|hands?|handed) (?:of|out|over|only|once|what|who|whom|again)\b|\b(?:is|are|was|were|be|been|gets?|not) (?:told|asked|handed|judged|drawn|begun)\b/i,
    example: 'The buyer is told by email.',
  },
  {
    key: 'keep',
    advice: 'Code stores, reports, and requests. It doesn’t keep, say, ask, know, or wait.',
    regex:
      /\b(?:keeps|says|asks|lets|knows|stands|hears|judges|promises|draws|hands|lies|tells|learns|minds|forgets|waits)\b|\bgoes (?:back|out|away|with|at|on|there|by|into|over|together|again)\b/i,
    ordinary: /(?:message|error|docs?|documentation|spec|standard|comment|compiler) says/i,
    example: 'The store keeps the file for a week.',
  },
  {
    key: 'as-is',
    advice: 'Say "doesn’t change" instead of "stays as it is".',
    regex:
      /\bas (?:it|they|he|she) (?:was|were)\b|\b(?:stays?|stayed|remains?|left|is|are) as (?:it|they) (?:is|are)\b|\bas (?:before|ever)\b/i,
    example: 'Your cart stays as it is.',
  },
  {
    key: 'meanwhile',
    advice: 'Drop "meanwhile". Use no longer, automatically, or immediately for any more, by itself, and at once.',
    regex: /\bmeanwhile\b|\bin the meantime\b|\bany more\b|\bby (?:itself|themselves)\b|\bat once\b/i,
    example: 'The price changed meanwhile.',
  },
  {
    key: 'alone',
    advice: 'Use "only" instead of "alone", and "next to" instead of "beside".',
    regex: /\b[a-z]+ alone\b|\bbesides?\b/i,
    ordinary: /stand-?alone|(?:leaves?|left|let) (?:[a-z]+ )?alone/i,
    example: 'The link is for staff alone.',
  },
  {
    key: 'nothing',
    advice: 'Name the missing thing, such as "order not found", instead of nothing, none, or no such.',
    regex: /\bnothing\b|\bnone\b|\bno such\b/i,
    ordinary: /"none"|'none'|: none/i,
    example: 'The customer has nothing to pay.',
  },
  {
    key: 'whose',
    advice: 'Use "with" or a second sentence instead of whose, of which, or whichever.',
    regex: /\bwhose\b|\bof which\b|\bwhichever\b|\bwherever\b/i,
    ordinary: /whichever (?:comes|is) (?:first|sooner|later|lower|greater)/i,
    example: 'The list has orders whose parcels are delayed.',
  },
  {
    key: 'begin',
    advice: 'Use "start" instead of "begin".',
    regex: /\bbegin(?:s|ning)?\b|\bbegan\b|\bbegun\b/i,
    ordinary: /begins? with|beginning (?:of|with)|from the beginning|begin;/i,
    example: 'The job will begin tomorrow.',
  },
  {
    key: 'colon',
    advice: 'Write two sentences instead of a short clause, a colon, and another clause.',
    regex: /(?:^|[.!?] )[A-Za-z][^.:;!?|]{8,60}: [a-z][^.:!?|]{12,}/,
    ordinary: /https?:|\b(?:note|example|type|default): |e\.g\.|i\.e\./i,
    example: 'The price is fixed: the customer can’t change it.',
  },
]
