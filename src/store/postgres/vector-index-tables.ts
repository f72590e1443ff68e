// Tables that the vector index makes for itself at run time. They hold nothing that cannot be made again from `vectors`, so no
// migration and no backup knows them.
export const VECTOR_INDEX_PREFIX = 'vector_index';
