/** The JSON schema of a policy document, made from the table that checks one. */
import { POLICY_FIELDS } from './policy.js';

export function policySchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'rmsh policy',
    description: 'What a run of rmsh may do. Whatever is not named is not allowed.',
    type: 'object',
    properties: {
      $schema: { description: 'Where this schema is, for an editor. It grants nothing.', type: 'string' },
      ...Object.fromEntries(
        Object.entries(POLICY_FIELDS).map(([name, { schema, description }]) => [name, { description, ...schema }]),
      ),
    },
    required: ['version'],
    additionalProperties: false,
  };
}
