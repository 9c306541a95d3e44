/** All that the rest of the program uses of search, in one piece, so that it is loaded when the first search comes. */
export { writeSearchAnswer } from './answer/answer.ts';
export { nearestNames } from './rank/nearest-names.ts';
export { ToolIndex } from './tool-index.ts';
