import type { Problem } from '../../api/problems.ts'
import { useLanguage, useMessages } from '../language.tsx'
import { NameChallenge } from '../dialogs/NameChallenge.tsx'
import { Originals } from './ReasonList.tsx'
import { useProblemText } from './reasons.ts'
import { visible } from '../visible.ts'

/** Why something was not done, where it is told beside other things: in the user's language, the service's words behind. */
export function ToldProblem({ problem }: { problem: Problem }) {
  const isEnglish = useLanguage() === 'en'
  const text = useProblemText(problem)
  const { problems } = useMessages()
  if (problem.challenge)
    return (
      <div>
        {problems.challenge.title}
        <NameChallenge challenge={problem.challenge} />
      </div>
    )
  return (
    <div>
      {text}
      {!isEnglish && <Originals texts={[visible(problem.detail)]} />}
    </div>
  )
}
