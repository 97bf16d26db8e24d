/** Generated from the rules of `parser.ts` (npm run docs); read by `decisions.ts`. */
export const DECISION_TABLE = `list Repetition 1: Newline
list Repetition 2: Word Assignment Redirection HereDocument OpenBrace OpenParenthesis If For While Until Case Function FunctionName Conditional Arithmetic Select Bang Time
list Option 0: Semicolon Ampersand Newline
separator Alternation 0: Semicolon | Ampersand | Newline
separator Repetition 0: Newline
andOr Alternation 1: Word Assignment Redirection HereDocument OpenBrace OpenParenthesis If For While Until Case Function FunctionName Conditional Arithmetic Select | Bang Time
andOr Alternation 2: Word Assignment Redirection HereDocument OpenBrace OpenParenthesis If For While Until Case Function FunctionName Conditional Arithmetic Select | Bang Time
andOr Repetition 1: AndOr
andOr Repetition 2: Newline
pipeline Repetition 1: Pipe
pipeline Repetition 2: Newline
prefixedPipeline Alternation 0: Bang | Time
prefixedPipeline Option 0: Word Assignment Redirection HereDocument OpenBrace OpenParenthesis If For While Until Case Function FunctionName Conditional Arithmetic Select
prefixedPipeline RepetitionMandatory 0: Bang Time
command Alternation 0: Word Assignment Redirection HereDocument | OpenBrace | OpenParenthesis | If | For | While Until | Case | Function FunctionName | Conditional | Arithmetic | Select
simpleCommand Alternation 0: Word | Assignment | Redirection HereDocument
simpleCommand RepetitionMandatory 0: Word Assignment Redirection HereDocument
redirection Alternation 0: Redirection | HereDocument
functionDefinition Alternation 0: Function | FunctionName
functionDefinition Repetition 0: Newline
compoundRedirections Repetition 0: Redirection HereDocument
ifClause Repetition 0: Elif
ifClause Option 0: Else
forClause Alternation 0: ForName | ArithmeticFor
wordLoop Repetition 0: Newline
wordLoop Option 1: Semicolon
wordLoop Option 2: In
arithmeticFor Alternation 0: Do | OpenBrace
arithmeticFor Repetition 0: Newline
arithmeticFor Option 0: Semicolon
forWords Alternation 0: Semicolon | Newline
forWords Repetition 1: Word
forWords Repetition 2: Newline
whileClause Alternation 0: While | Until
caseClause Repetition 1: Newline
caseClause Repetition 2: Newline
caseClause Repetition 3: OpenParenthesis Word
caseItem Repetition 0: Newline
caseItem Option 1: OpenParenthesis
caseItem Option 2: CaseTerminator
caseItem RepetitionMandatoryWithSeparator 0: Word`;
