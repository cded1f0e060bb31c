/** What kind of thing an entity is, told by its form where a dataset has no types. Null: nothing tells. */
export function guessType(text: string): string | null {
  for (const [type, form] of forms) if (form.test(text.trim())) return type;
  return null;
}

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/** The first that fits counts. */
const forms: readonly (readonly [type: string, form: RegExp])[] = [
  ['URL', /^(?:https?:\/\/|www\.)\S+$/i],
  ['DATE', /^(?:1[0-9]|20)\d\d$/],
  ['DATE', /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/],
  [
    'DATE',
    new RegExp(
      `^(?:\\d{1,2}(?:st|nd|rd|th)?\\s+)?${month}\\.?(?:\\s+\\d{1,2}(?:st|nd|rd|th)?)?(?:,?\\s+\\d{4})?$`,
      'i',
    ),
  ],
  ['PERCENT', /^\d[\d.,]*\s*(?:%|per ?cent)$/i],
  ['MONEY', /^(?:[$€£¥]\s*\d[\d.,]*|\d[\d.,]*\s*(?:dollars|euros|pounds|yen))(?:\s*(?:million|billion))?$/i],
  ['NUMBER', /^[+-]?\d[\d.,]*$/],
  [
    'ORGANIZATION',
    /\b(?:inc|corp|corporation|company|co|ltd|llc|gmbh|university|college|institute|association|committee|ministry|bank|club|party|records|orchestra|airlines)\.?$/i,
  ],
];
