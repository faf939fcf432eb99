/**
 * Fastify asks for compilers in each encapsulated plugin, of which there are hundreds. Those that know the same shared
 * schemas get the same compilers, with what these have compiled already.
 */
export function shareCompilers<Schemas extends object, Rest extends unknown[], Compiler>(
  build: (schemas: Schemas, ...rest: Rest) => Compiler,
): (schemas: Schemas, ...rest: Rest) => Compiler {
  const built: { schemas: Map<string, unknown>; compiler: Compiler }[] = []
  return (schemas, ...rest) => {
    const entries = Object.entries(schemas)
    const known = built.find(
      (one) =>
        one.schemas.size === entries.length &&
        entries.every(([id, schema]) => one.schemas.get(id) === schema),
    )
    if (known) return known.compiler
    const compiler = build(schemas, ...rest)
    built.push({ schemas: new Map(entries), compiler })
    return compiler
  }
}
