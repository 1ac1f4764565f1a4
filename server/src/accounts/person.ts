import { Type } from "typebox";

const emailForm =
  '^[^\\s@"(),:;<>\\[\\\\\\]\\u0000-\\u001f]{1,64}@[^\\s@"(),:;<>\\[\\\\\\]\\u0000-\\u001f]+\\.[A-Za-z0-9-]{2,63}$';

export const nameRule =
  'must contain a first and a last name, such as "Ada Lovelace", in at most 200 characters';
export const emailRule = 'must be an e-mail address, such as "ada@example.com"';

/** First and last name: at least two words. */
export const PersonName = Type.String({
  minLength: 3,
  maxLength: 200,
  pattern: "^\\s*[^\\s\\u0000-\\u001f]+(\\s+[^\\s\\u0000-\\u001f]+)+\\s*$",
  description: nameRule,
});

export const Email = Type.String({
  maxLength: 254,
  pattern: emailForm,
  description: emailRule,
});
