/** Words that say nothing about what a tool does; kept only in tool names. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both
  but by can could did do does doing done down during each either else etc few for from further had has have
  having he her here hers him his how i if in into is it its itself just ll me more most my myself no nor not
  now of off on once only or other our ours out over own per re s same she should so some such t than that the
  their theirs them then there these they this those through to too under until up upon us ve very via was we
  were what when where whether which while who whom whose why will with within without would you your yours`.split(
    /\s+/,
  ),
);

/** Words of a request rather than of its subject; dropped from queries unless nothing else is left. */
export const REQUEST_FILLER: ReadonlySet<string> = new Set(
  `actually anyone anything assist assistance currently d eager ensure example exactly give going gonna got
  guide happen hello help helping hey hi hoping im interested kindly know let lets like looking love m make may
  maybe might must need needed needs ok okay one please possible provide provided quick quickly really recently
  regarding shall something somebody someone suggest suggestions sure tell thank thanks there things think
  thinking tool tools try trying using use used want wants wanted well wonder wondering`.split(/\s+/),
);
